export type Theme = 'system' | 'light' | 'dark'

export const THEMES: readonly { id: Theme; label: string }[] = [
  { id: 'system', label: 'System' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
]

/** The theme stored in a cookie; any other value means the system's. */
export const parseTheme = (cookie: string | undefined): Theme =>
  cookie === 'light' || cookie === 'dark' ? cookie : 'system'

/** Applies a theme and stores it for a year. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  const age = theme === 'system' ? 0 : 31_536_000
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers we serve
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`
}
