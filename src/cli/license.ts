/** Command line of the licence issuer: `npm run license -- keygen | sign`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateKeyPair, signLicense } from '../auth/license-signing.js'

const USAGE = `Usage:
  license keygen --out DIR
      Writes license-private.pem and license-public.pem to DIR. Existing files are never overwritten.
  license sign --key FILE --sub NAME [--days N | --exp EPOCH]
      Prints a licence token for the subject NAME, signed with the private key in FILE (PEM or JWK).
      --days N     expires N days from now (a fraction is fine)
      --exp EPOCH  expires at this time, in epoch seconds
      Without either the licence never expires.
  license --help
`

const SECONDS_PER_DAY = 86_400

/** Readable and writable by the owner alone. */
const PRIVATE_FILE_MODE = 0o600

async function main(args: string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      key: { type: 'string' },
      sub: { type: 'string' },
      days: { type: 'string' },
      exp: { type: 'string' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  const [action, ...rest] = positionals
  if (values.help === true) return USAGE
  if (action === 'keygen' && rest.length === 0) return writeKeyPair(required(values.out, '--out'))
  if (action !== 'sign' || rest.length > 0) throw new Error(USAGE)
  // This process lives for one command, so it reads the machine's clock itself.
  const clock = { now: () => new Date().getTime() / 1000 }
  const expiresAt = toExpiry(values.days, values.exp, clock.now())
  const token = await signLicense({
    privateKey: readFileSync(required(values.key, '--key'), 'utf8'),
    subject: required(values.sub, '--sub'),
    ...(expiresAt !== undefined && { expiresAt }),
    clock
  })
  return `${token}\n`
}

function writeKeyPair(directory: string): string {
  const { privateKey, publicKey } = generateKeyPair()
  mkdirSync(directory, { recursive: true })
  const files = { 'license-private.pem': privateKey, 'license-public.pem': publicKey }
  const paths = Object.entries(files).map(([name, text]) => {
    const path = join(directory, name)
    writeFileSync(path, text, { mode: PRIVATE_FILE_MODE, flag: 'wx' })
    return path
  })
  return `${paths.join('\n')}\n`
}

function toExpiry(days: string | undefined, exp: string | undefined, now: number): number | undefined {
  if (days !== undefined && exp !== undefined) throw new Error('Give either --days or --exp, not both')
  if (days !== undefined) return now + positive(days, '--days') * SECONDS_PER_DAY
  return exp === undefined ? undefined : positive(exp, '--exp')
}

function positive(text: string, option: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0) throw new Error(`${option} must be a positive number`)
  return value
}

function required(value: string | undefined, option: string): string {
  if (value === undefined || value === '') throw new Error(`${option} is missing\n\n${USAGE}`)
  return value
}

main(process.argv.slice(2)).then(
  (output) => process.stdout.write(output),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
)
