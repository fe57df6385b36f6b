/** Texts that are secrets wherever they are: keys of this and other services, bearer values. */
export const SECRET_PATTERNS: readonly RegExp[] = [
  /\bBearer\s+[^\s"']+/gi,
  /\b(?:tg|sk|pk|rk|whsec|glpat|hf)[_-][\w-]+/g,
  /\b(?:gh[pousr]|github_pat)_\w+/g,
  /\bxox[abeoprs]-[\w-]+/g,
  /\bAKIA[0-9A-Z]+/g,
  /\bAIza[\w-]+/g,
]

/** Shorter ones are words: "the bearer of". */
const MIN_SECRET = 12

/** The password in a URL, and what follows a name in a text. */
const PASSWORD_IN_URL = /(:\/\/[^\s/:@"']+:)[^\s/@"']+@/g
const NAMED_IN_TEXT = /\b(\w+)(["']?[ ]?[:=][ ]?["']?)([^\s"',;&]+)/g

/** What takes the place of a secret. */
export const REDACTED = '[redacted]'

const SECRET_NAMES = new Set(['token', 'auth', 'pwd', 'cookie', 'setcookie', 'credential', 'credentials'])
const SECRET_ENDINGS =
  /(?:password|passwd|passphrase|secret|apikey|accesstoken|refreshtoken|authtoken|bearertoken|authorization|privatekey)$/

/** A text without what looks like a secret. */
export function redactText(text: string): string {
  const hide = (found: string) => (found.length < MIN_SECRET ? found : REDACTED)
  return SECRET_PATTERNS.reduce((kept, pattern) => kept.replaceAll(pattern, hide), text)
    .replaceAll(PASSWORD_IN_URL, `$1${REDACTED}@`)
    .replaceAll(NAMED_IN_TEXT, hideNamed)
}

// The parameters are those that `replaceAll` calls it with.
function hideNamed(...[found, name, between, , at, text]: [string, string, string, string, number, string]): string {
  const isApiKey = name.toLowerCase() === 'key' && text.slice(Math.max(0, at - 4), at).toLowerCase() === 'api-'
  return isApiKey || SECRET_ENDINGS.test(plainName(name)) ? name + between + REDACTED : found
}

const plainName = (name: string): string => name.toLowerCase().replaceAll('_', '').replaceAll('-', '')

/** Whether a field of this name holds a secret, however it is written: `apiKey`, `API_KEY`. */
export function isSecretName(name: string): boolean {
  if (name.length > 64) return false
  const plain = plainName(name)
  return SECRET_NAMES.has(plain) || SECRET_ENDINGS.test(plain)
}
