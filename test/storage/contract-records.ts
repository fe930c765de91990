/** Contract: what is written can be read back, under the same name. */
import { activated, at, type Cases, created, headed, names, ODD_STRINGS, row, SUBJECT } from './contract-cases.js'

export const rows: Cases = {
  'rows that were put, replaced and removed are as last written': async (t, { storage }) => {
    let token = await created(storage, at('a'), headed({}, [row('1', 'one'), row('2', 'two'), row('1', 'entity', 'entities')]))
    token = await storage.commit(at('a'), token, {
      head: {},
      put: [row('2', 'deux'), row('3', 'three')],
      remove: [
        { collection: 'memories', id: '1' },
        { collection: 'memories', id: 'absent' }
      ]
    })
    const record = await activated(storage, at('a'))
    t.same(names(record.rows), ['entities/1', 'memories/2', 'memories/3'])
    t.equal(record.rows.find(({ id }) => id === '2')?.body, 'deux')
    t.equal(record.token.version, token.version)
  },
  'a clear drops every row before its own are put': async (t, { storage }) => {
    const token = await created(storage, at('a'), headed({}, [row('1', 1), row('2', 2), row('3', 3, 'entities')]))
    await storage.commit(at('a'), token, { head: { n: 2 }, put: [row('2', 'new')], remove: [], clear: true })
    const record = await activated(storage, at('a'))
    t.same(record.rows, [row('2', 'new')])
    t.same(record.head, { n: 2 })
  },
  'a row removed and put in one commit is there': async (t, { storage }) => {
    const token = await created(storage, at('a'), headed({}, [row('1', 1)]))
    await storage.commit(at('a'), token, { head: {}, put: [row('1', 2)], remove: [{ collection: 'memories', id: '1' }] })
    t.same((await activated(storage, at('a'))).rows, [row('1', 2)])
  },
  'many rows in one commit are all there': async (t, { storage }) => {
    const many = Array.from({ length: 5_000 }, (_, n) => row(String(n), { n }))
    const token = await created(storage, at('a'), headed({}, many))
    t.equal((await activated(storage, at('a'))).rows.length, 5_000)
    const again = await activated(storage, at('a'))
    t.ok(again.token.epoch > token.epoch)
    await storage.commit(at('a'), again.token, { head: {}, put: [], remove: many.slice(0, 4_999) })
    t.same((await activated(storage, at('a'))).rows, [row('4999', { n: 4_999 })])
  }
}

export const naming: Cases = {
  'subjects with the same id are apart': async (t, { storage }) => {
    const mine = await created(storage, at('a', 'one'), headed({ of: 'one' }, [row('r', 1)]))
    t.equal(await storage.activate(at('a', 'two')), null)
    const yours = await created(storage, at('a', 'two'), headed({ of: 'two' }))
    await storage.remove(at('a', 'two'), yours)
    t.equal(await storage.verify(at('a', 'one'), mine), true)
    t.same((await activated(storage, at('a', 'one'))).head, { of: 'one' })
    t.same(await storage.list({ kind: 'session', subject: 'two', limit: 10 }), [])
  },
  'subjects and ids that join to the same text are apart': async (t, { storage }) => {
    const pairs = [
      ['a', 'b:c'],
      ['a:b', 'c'],
      ['a:', 'b:c'],
      ['a', ':b:c'],
      ['a/b', 'c'],
      ['a', 'b/c'],
      ['', 'a']
    ] as const
    for (const [subject, id] of pairs) await created(storage, at(id, subject), headed({ subject, id }))
    for (const [subject, id] of pairs) t.same((await activated(storage, at(id, subject))).head, { subject, id })
  },
  'odd ids, subjects, rows and collections come back as they were': async (t, { storage }) => {
    for (const odd of ODD_STRINGS) {
      const token = await created(storage, at(odd, odd), headed({ odd }, [row(odd, odd), row('r', odd, 'odd')]))
      await storage.commit(at(odd, odd), token, headed({ odd, again: true }))
      const record = await activated(storage, at(odd, odd))
      t.same(record.head, { odd, again: true })
      t.same(names(record.rows), names([row(odd, odd), row('r', odd, 'odd')]))
      t.same(await storage.list({ kind: 'session', subject: odd, limit: 10 }), [odd])
    }
    for (const odd of ODD_STRINGS) if (odd !== 'plain') await created(storage, at(odd, 'plain'))
    const listed = await storage.list({ kind: 'session', subject: 'plain', limit: 1_000 })
    t.same(listed, [...new Set(ODD_STRINGS)].sort(byCodeUnit))
  },
  'a listing, in pages, gives every id once in the order of code units': async (t, { storage }) => {
    const ids = ['b', 'a', 'B', 'ab', 'a-b', 'a_b', '10', '9', 'é', 'z', '_', '-']
    for (const id of ids) await created(storage, at(id))
    await storage.remove(at('z'), (await activated(storage, at('z'))).token)
    const pages: string[][] = []
    for (let page = await storage.list({ kind: 'session', subject: SUBJECT, limit: 4 }); page.length > 0;) {
      pages.push(page)
      page = await storage.list({ kind: 'session', subject: SUBJECT, after: page.at(-1) as string, limit: 4 })
    }
    t.same(pages.flat(), ids.filter((id) => id !== 'z').sort(byCodeUnit))
    t.same(
      pages.map((page) => page.length),
      [4, 4, 3]
    )
    t.same(await storage.list({ kind: 'session', subject: SUBJECT, after: 'aa', limit: 1 }), ['ab'])
  }
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** `largeBytes`: size of the large body. */
export function bodies(largeBytes: number): Cases {
  return {
    'plain values come back as they were': async (t, { storage }) => {
      const body = {
        text: 'ünïcödé 🙂\u0000',
        n: -0.1,
        big: 2 ** 53 - 1,
        tiny: 5e-324,
        yes: true,
        none: null,
        list: [1, 'two', [3]],
        deep: { a: { b: {} } }
      }
      await created(storage, at('a'), headed(body, [row('r', body)]))
      const record = await activated(storage, at('a'))
      t.strictSame(record.head, body)
      t.strictSame(record.rows[0]?.body, body)
    },
    'float vectors come back bit for bit': async (t, { storage }) => {
      const special = Float32Array.of(0, -0, 1e-45, -3.4028234663852886e38, Math.fround(0.1), Infinity, -Infinity, NaN)
      const long = Float32Array.from({ length: 16_384 }, (_, n) => Math.sin(n) / 7)
      const wide = Float64Array.of(0.1, -0, 5e-324)
      // A view into a larger buffer, like the vectors of one memory's parts.
      const view = long.subarray(3, 387)
      await created(storage, at('a'), headed({ special, wide }, [row('long', { long }), row('view', { nested: [view] })]))
      const record = await activated(storage, at('a'))
      const head = record.head as { special: Float32Array; wide: Float64Array }
      t.same(bits(head.special), bits(special))
      t.same([...new BigUint64Array(head.wide.slice().buffer)], [...new BigUint64Array(wide.slice().buffer)])
      const stored = record.rows.find(({ id }) => id === 'long')?.body as { long: Float32Array }
      t.same(bits(stored.long), bits(long))
      const nested = record.rows.find(({ id }) => id === 'view')?.body as { nested: [Float32Array] }
      t.equal(nested.nested[0].length, 384)
      t.same(bits(nested.nested[0]), bits(view))
    },
    'large heads and rows come back as they were': async (t, { storage }) => {
      const large = 'é🙂'.repeat(largeBytes / 6)
      await created(storage, at('a'), headed({ large }, [row('r', { large })]))
      const record = await activated(storage, at('a'))
      t.ok((record.head as { large: string }).large === large, 'the head is the same')
      t.ok((record.rows[0]?.body as { large: string }).large === large, 'the row is the same')
    }
  }
}

function bits(vector: Float32Array): number[] {
  return [...new Uint32Array(vector.slice().buffer)]
}
