import fc from 'fast-check'
import t from 'tap'
import { formatModelName, parseModelName } from '../../src/embedders/model-name.js'

const REFUSED = [
  '',
  '.',
  '..',
  '/',
  '../x',
  'a/../b',
  'a/..',
  '..a',
  'a..b',
  '/etc/passwd',
  '/a',
  'a/',
  'a//b',
  'a/b/c',
  'a\\b',
  '..\\a',
  'a\0',
  'a\n',
  'a b',
  '~/a',
  '.hidden',
  'a/.git',
  'C:\\models',
  'C:/models',
  'file:///etc',
  'https://host/a',
  '%2e%2e/a',
  'a/%2e%2e',
  'a?b',
  'a#b',
  'é',
  'a@main',
  'a@fp32-xyz',
  'a@fp32-0123456789AB',
  'x'.repeat(97),
  `${'x'.repeat(96)}/${'x'.repeat(97)}`
]

for (const name of REFUSED) {
  t.test(`model name ${JSON.stringify(name.slice(0, 40))} is refused`, async (t) => t.equal(parseModelName(name), null))
}

t.test('a model name of the hub is read', async (t) => {
  t.same(parseModelName('Xenova/all-MiniLM-L6-v2'), { id: 'Xenova/all-MiniLM-L6-v2' })
  t.same(parseModelName('tiny'), { id: 'tiny' })
  t.same(parseModelName('a/b@q8-0123456789ab'), { id: 'a/b', pin: { precision: 'q8', digest: '0123456789ab' } })
})

t.test('a pinned model name reads back as written', async () => {
  const part = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,20}$/)
  const digest = fc.stringMatching(/^[0-9a-f]{12}$/)
  fc.assert(
    fc.property(part, part, digest, fc.constantFrom('fp32' as const, 'q8' as const), (owner, name, hex, precision) => {
      const parsed = parseModelName(formatModelName(`${owner}/${name}`, { precision, digest: hex }))
      return parsed?.id === `${owner}/${name}` && parsed.pin?.precision === precision && parsed.pin.digest === hex
    })
  )
})

t.test('model name: any string that is read has no way out of a directory', async () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a', '@', '\0', '-') }), (text) => {
      const parsed = parseModelName(text)
      return parsed === null || !/\.\.|^\/|\\|\0|\/\./.test(parsed.id)
    }),
    { numRuns: 2_000 }
  )
})
