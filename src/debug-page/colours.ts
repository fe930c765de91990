import { useEffect, useState } from 'preact/hooks'

const NAMES = ['accent', 'warn', 'faint', 'line', 'soft'] as const

export type Colours = Readonly<Record<string, string>>

/** Current colours of the style sheet; a canvas does not pick up changes by itself. */
export function useColours(): Colours {
  const [colours, setColours] = useState(readColours)
  useEffect(() => {
    const read = (): void => setColours((last) => (isSame(last, readColours()) ? last : readColours()))
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const observer = new MutationObserver(read)
    scheme.addEventListener('change', read)
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    read()
    return () => {
      scheme.removeEventListener('change', read)
      observer.disconnect()
    }
  }, [])
  return colours
}

function readColours(): Colours {
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]))
}

function isSame(a: Colours, b: Colours): boolean {
  return NAMES.every((name) => a[name] === b[name])
}
