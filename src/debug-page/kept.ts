/** State that this window keeps across reloads: the token if its owner wants that, the parts viewed with it, and the colour theme. */

const TOKEN_KEY = 'engram-token'
const VISITS_KEY = 'engram-visits'
const THEME_KEY = 'engram-theme'

export const THEMES = ['system', 'light', 'dark'] as const

export type Theme = (typeof THEMES)[number]

/** Ids of the parts viewed, by position in the browser's history; null: no part was selected. */
type Visits = Map<number, string | null>

/** Returns null when no token is kept. */
export function readToken(): string | null {
  return sessionStorage.getItem(TOKEN_KEY)
}

export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token)
}

/** Removes the token and the visits made with it. */
export function forgetToken(): void {
  sessionStorage.removeItem(TOKEN_KEY)
  sessionStorage.removeItem(VISITS_KEY)
}

export function readVisits(): Visits {
  return new Map(JSON.parse(sessionStorage.getItem(VISITS_KEY) ?? '[]') as [number, string | null][])
}

/** Keeps the visits only while a token is kept: a page that asks for a token must reveal nothing. */
export function keepVisits(visits: Visits): void {
  if (readToken() !== null) sessionStorage.setItem(VISITS_KEY, JSON.stringify([...visits]))
}

export function readTheme(): Theme {
  const kept = sessionStorage.getItem(THEME_KEY)
  return THEMES.find((theme) => theme === kept) ?? 'system'
}

export function keepTheme(theme: Theme): void {
  sessionStorage.setItem(THEME_KEY, theme)
}
