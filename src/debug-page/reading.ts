import { useEffect, useState } from 'preact/hooks'
import { isMissing, wordsOf } from './asking.js'

/** Something that is read from the service: what is there, and what went wrong the last time. */
export interface Reading<T> {
  /** Null before the first answer. It stays when a later one fails, unless what was read is gone. */
  readonly value: T | null
  /** Null while it goes well. */
  readonly problem: string | null
}

const NOTHING = { value: null, problem: null }

/** Reads again whenever one of `when` changes; of another `name` nothing is kept. An answer that comes too late is dropped. */
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
