/** What this window keeps, beyond the page that is open: the token if its owner wants that, what was looked at with it, and the colours. */

const TOKEN_KEY = 'engram-token'
const VISITS_KEY = 'engram-visits'
const THEME_KEY = 'engram-theme'

const THEMES = ['system', 'light', 'dark'] as const

export type Theme = (typeof THEMES)[number]

/** What was looked at, by the place in the browser's history: an id, or null for nothing. */
export type Visits = Map<number, string | null>

/** Null when none is kept. */
export function keptToken(): string | null {
  return sessionStorage.getItem(TOKEN_KEY)
}

export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token)
}

/** Forgets the token and what was seen with it. */
export function forgetToken(): void {
  sessionStorage.removeItem(TOKEN_KEY)
  sessionStorage.removeItem(VISITS_KEY)
}

export function keptVisits(): Visits {
  return new Map(JSON.parse(sessionStorage.getItem(VISITS_KEY) ?? '[]') as [number, string | null][])
}

/** Only with a token: a page that asks for one is to tell nothing. */
export function keepVisits(visits: Visits): void {
  if (keptToken() !== null) sessionStorage.setItem(VISITS_KEY, JSON.stringify([...visits]))
}

export function keptTheme(): Theme {
  const kept = sessionStorage.getItem(THEME_KEY)
  return THEMES.find((theme) => theme === kept) ?? 'system'
}

export function keepTheme(theme: Theme): void {
  sessionStorage.setItem(THEME_KEY, theme)
}
