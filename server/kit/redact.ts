/** Texts that are secrets wherever they are: keys of this and other services, bearer values. */
export const SECRET_PATTERNS: readonly RegExp[] = [
  /\bBearer\s+[^\s"']{6,}/gi,
  /\b(?:tg|sk|pk|rk|whsec|glpat|hf)[_-][\w-]{8,}/g,
  /\b(?:gh[pousr]|github_pat)_\w{16,}/g,
  /\bxox[abeoprs]-[\w-]{8,}/g,
  /\bAKIA[0-9A-Z]{12,}/g,
  /\bAIza[\w-]{20,}/g,
]

/** The password in a URL, and what follows the name of a secret in a text. */
const PASSWORD_IN_URL = /(:\/\/[^\s/:@"']+:)[^\s/@"']+@/g
const NAMED_IN_TEXT =
  /\b(password|passwd|secret|api_?key|access_?token|refresh_?token|private_?key)(["']?[ ]?[:=][ ]?["']?)[^\s"',;&]+/gi

/** What takes the place of a secret. */
export const REDACTED = '[redacted]'

/** A text without what looks like a secret. */
export function redactText(text: string): string {
  const keyless = SECRET_PATTERNS.reduce((kept, pattern) => kept.replaceAll(pattern, REDACTED), text)
  return keyless.replaceAll(PASSWORD_IN_URL, `$1${REDACTED}@`).replaceAll(NAMED_IN_TEXT, `$1$2${REDACTED}`)
}

const SECRET_NAMES = new Set(['token', 'auth', 'pwd', 'cookie', 'setcookie', 'credential', 'credentials'])
const SECRET_ENDINGS =
  /(?:password|passwd|passphrase|secret|apikey|accesstoken|refreshtoken|authtoken|bearertoken|authorization|privatekey)$/

/** Whether a field of this name holds a secret, however it is written: `apiKey`, `API_KEY`. */
export function isSecretName(name: string): boolean {
  if (name.length > 64) return false
  const plain = name.toLowerCase().replaceAll('_', '').replaceAll('-', '')
  return SECRET_NAMES.has(plain) || SECRET_ENDINGS.test(plain)
}
