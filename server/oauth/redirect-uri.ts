import type { RedirectTarget } from './shape'

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * URL schemes of MCP clients that have none in the reverse-domain form. Any other scheme without a
 * dot may start a program that has nothing to do with OAuth, so it is refused.
 */
const APP_SCHEMES = new Set([
  ...['claude', 'cursor', 'goose', 'jetbrains', 'lmstudio', 'raycast', 'vscode', 'vscode-insiders', 'warp'],
  ...['windsurf', 'zed'],
])

/** `com.example.app` (RFC 8252, 7.1), or the scheme of a known client. */
const isAppScheme = (scheme: string): boolean =>
  /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+$/.test(scheme) || APP_SCHEMES.has(scheme)

/**
 * Where a redirect URI leads; null for one that no client may register: without https on another
 * machine, with a fragment, a password or characters that a URL does not have, or with the scheme
 * of something other than an application.
 */
export function parseRedirectUri(text: string): RedirectTarget | null {
  if (!/^[\x21-\x7e]+$/.test(text) || /[\\#]/.test(text) || !URL.canParse(text)) return null
  const { protocol, hostname, host, username, password } = new URL(text)
  if (username !== '' || password !== '') return null
  if (protocol === 'http:') return LOOPBACK_HOSTS.has(hostname) ? { kind: 'loopback', host } : null
  if (protocol === 'https:') return { kind: LOOPBACK_HOSTS.has(hostname) ? 'loopback' : 'website', host }
  const scheme = protocol.slice(0, -1)
  return isAppScheme(scheme) ? { kind: 'app', host: scheme } : null
}

/** A loopback URI without its port, which the client's machine chooses at each start. */
function withoutPort(text: string): string | null {
  if (parseRedirectUri(text)?.kind !== 'loopback') return null
  const url = new URL(text)
  url.port = ''
  return url.href
}

/**
 * Whether a redirect URI is one of those registered: character by character, except for the port of
 * a loopback address (RFC 8252, 7.3).
 */
export function isRegisteredRedirect(uri: string, registered: readonly string[]): boolean {
  if (parseRedirectUri(uri) === null) return false
  const portless = withoutPort(uri)
  return registered.some((known) => known === uri || (portless !== null && withoutPort(known) === portless))
}

/** A redirect URI with the parameters of a response. */
export function redirectWith(uri: string, params: Record<string, string | undefined>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}
