/** The command line as a whole: help, wrong use, exit codes, completion. */
import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import t from 'tap'
import { builtProgram } from '../support/built.js'
import { engram } from '../support/command-line.js'

t.test('engram: help names every command, the variables and the exit codes', async (t) => {
  const { code, stdout } = await engram(['--help'])
  t.equal(code, 0)
  const commands = ['serve', 'dev', 'inspect', 'demo', 'cluster', 'license', 'model', 'backup', 'restore', 'verify-audit', 'nats-init']
  for (const command of [...commands, 'search', 'chat', 'import', 'completion'])
    t.match(stdout, new RegExp(`^  ${command}\\b`, 'm'), command)
  t.match(stdout, /ENGRAM_TOKEN.*\n[^]*Exit codes:[^]*3 +the service cannot be reached/)
  t.notMatch(stdout, '\u001b', 'no colours without a terminal')
})

t.test('engram: its version is that of the package', async (t) => {
  t.match(await engram(['--version']), { code: 0, stdout: /^\d+\.\d+\.\d+\n$/ })
})

t.test('engram: wrong use exits with 2, names what is wrong and writes nothing on the standard output', async (t) => {
  for (const [args, said] of [
    [[], /Usage: engram COMMAND/],
    [['--versions'], /unknown option '--versions'/],
    [['serv'], /serv.*\n?.*Did you mean serve/],
    [['search', 'anna'], /missing required argument 'query'/],
    [['search', 'anna', 'x', '--top', 'many'], /--top must be a whole number/],
    [['search', 'anna', 'x', '--url', 'http://user:secret@127.0.0.1'], /must hold no password/],
    [['import', '/nowhere/at/all'], /^There is nothing at \/nowhere\/at\/all\.$/m],
    [['import', '/'], /^\/ is a folder\.$/m],
    [['import', '/dev/null'], /^\/dev\/null is no file\.$/m],
    [['restore', '/'], /^\/ is a folder\.$/m],
    [['backup', '/nowhere/x.backup'], /^There is nothing at \/nowhere\.$/m],
    [['license', 'sign', '--key', '/nowhere.pem', '--sub', 'a'], /^There is nothing at \/nowhere\.pem\.$/m],
    [['license', 'keygen', '--out', '/dev/null/keys'], /^\/dev\/null\/keys leads through a file\.$/m],
    [['serve', '--port', 'abc'], /^--port must be a whole number from 0 to 65535\.$/m],
    [['serve', '--port', '65536'], /^--port must be a whole number from 0 to 65535\.$/m],
    [['serve', '--host', 'a b'], /^--host must be a host name or address\.$/m],
    [['dev', '--port', '1e3'], /^--port must be a whole number from 0 to 65535\.$/m],
    [['help', 'nope'], /unknown command 'nope'/],
    [['help', 'license', 'nope'], /unknown command 'nope'/],
    [['import', 'x', '--format', 'csv'], /Allowed\s+choices are mem0, langchain, redis, zep, jsonl/],
    [['model', 'pull', '../../etc'], /name on the hub/],
    [['completion', 'tcsh'], /one of bash, zsh, fish/]
  ] as const) {
    const result = await engram(args)
    t.match(result, { code: 2, stdout: '', stderr: said }, args.join(' '))
    t.notMatch(result.stderr, 'secret')
  }
})

t.test('engram: an empty variable is one that is not set, and a wrong one is named', async (t) => {
  t.match(await engram(['nats-init', 'n1'], { env: { NATS_URL: '' } }), { code: 2, stderr: /^NATS_URL is missing/ })
  const wrong = await engram(['nats-init', 'n1'], { env: { NATS_URL: 'secret.example' } })
  t.match(wrong, { code: 78, stderr: /^NATS_URL must be one address like/ })
  t.notMatch(wrong.stderr, 'secret')
})

t.test('engram: help of a command is that of the command itself', async (t) => {
  for (const words of [[], ['backup'], ['license', 'sign']]) {
    const asked = await engram(['help', ...words])
    t.match(asked, { code: 0, stderr: '' }, words.join(' '))
    t.equal(asked.stdout, (await engram([...words, '--help'])).stdout, words.join(' '))
  }
})

t.test('engram: a folder for data that cannot be used is exit code 78, and is named', async (t) => {
  const refusal = /^The folder \S+ cannot be made or used: ENOTDIR\n$/
  t.match(await engram(['serve', '--anonymous', '--data', '/dev/null/data']), { code: 78, stdout: '', stderr: refusal })
  t.match(await engram(['mcp', '--data', '/dev/null/data']), { code: 78, stdout: '', stderr: refusal })
  const cwd = t.testdir({ '.engram': 'a file' })
  t.match(await engram(['dev', '--port', '0'], { cwd }), { code: 78, stderr: /^The folder \.engram cannot be made or used: E\w+\n$/ })
})

t.test('engram: a service that is not there is exit code 3, and the token stays unsaid', async (t) => {
  // The highest port, at which nobody listens.
  const env = { ENGRAM_URL: 'http://127.0.0.1:65535', ENGRAM_TOKEN: 'aaa.bbb.ccc' }
  const result = await engram(['search', 'anna', 'anything'], { env })
  t.match(result, { code: 3, stdout: '', stderr: /^The service at http:\/\/127\.0\.0\.1:65535 cannot be reached\. Is it running\?/ })
  t.notMatch(result.stderr, 'bbb')
})

t.test('engram: a full disk behind its standard output is a failure that is named', { skip: process.platform !== 'linux' }, async (t) => {
  const program = await builtProgram('src/cli/engram')
  for (const args of [['--help'], ['completion', 'bash']]) {
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8'
    })
    t.equal(status, 1)
    t.equal(stderr, 'The standard output cannot be written (ENOSPC).\n')
  }
})

t.test('completion: scripts name commands and options, and bash takes its own', async (t) => {
  const { code, stdout } = await engram(['completion', 'bash'])
  t.equal(code, 0)
  t.equal(spawnSync('bash', ['-n'], { input: stdout }).status, 0)
  const complete = (...words: string[]) => {
    const script = `${stdout}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _engram; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { status, stdout: said } = spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd: t.testdir() })
    t.equal(status, 0)
    return said.split('\n').filter((word) => word !== '')
  }
  t.same(complete('engram', 'mo'), ['model'])
  t.same(complete('engram', 'model', ''), ['pull', '--help'])
  t.same(complete('engram', 'model', 'pull', '--precision', ''), ['q8', 'fp32'])
  t.same(complete('engram', 'backup', 'file', '--every'), ['--everything'])
  for (const shell of ['zsh', 'fish']) {
    const script = await engram(['completion', shell])
    t.match(script, { code: 0, stdout: /verify-audit/ }, shell)
    const present = spawnSync(shell, ['-n'], { input: script.stdout })
    if (present.error === undefined) t.equal(present.status, 0, shell)
  }
})
