import { useEffect, useState } from 'preact/hooks'
import { isMissing, wordsOf } from './asking.js'

/** Data read from the service: the latest value, and the latest failure. */
interface Reading<T> {
  /** Null before the first answer. Kept when a later read fails, unless what was read no longer exists. */
  readonly value: T | null
  /** Null after a successful read. */
  readonly problem: string | null
}

const NOTHING = { value: null, problem: null }

/** Reads again whenever an item of `when` changes. A change of `name` discards the previous value. Late answers are dropped. */
export function useReading<T>(read: () => Promise<T>, { name, when }: { name: string; when: readonly unknown[] }): Reading<T> {
  const [known, setKnown] = useState<Reading<T> & { readonly name: string }>({ ...NOTHING, name })
  useEffect(() => {
    let isCurrent = true
    read().then(
      (value) => isCurrent && setKnown({ name, value, problem: null }),
      (error: unknown) =>
        isCurrent &&
        setKnown((last) => ({ name, value: last.name === name && !isMissing(error) ? last.value : null, problem: wordsOf(error) }))
    )
    return () => {
      isCurrent = false
    }
  }, [name, ...when])
  return known.name === name ? known : NOTHING
}
