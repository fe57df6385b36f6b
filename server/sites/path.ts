import { AppError } from '../errors'

const MAX_CHARACTERS = 300
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/

const refuse = (path: string, why: string) =>
  new AppError('invalid_request', `The path ${JSON.stringify(path.slice(0, 100))} ${why}.`)

/**
 * A file's path inside its site in its canonical form: relative, with single slashes, in Unicode's
 * composed form. Throws `invalid_request` for a path that could lead anywhere else.
 */
export function parseSitePath(given: string): string {
  if (given.length > MAX_CHARACTERS) throw refuse(given, `is longer than ${MAX_CHARACTERS} characters`)
  if (CONTROL.test(given) || !given.isWellFormed()) throw refuse(given, 'has control characters or invalid Unicode')
  if (given.includes('\\')) throw refuse(given, 'has a backslash: separate folders by /')
  if (given.startsWith('/') || /^[a-z]:/i.test(given)) throw refuse(given, 'is absolute: begin with a folder or a file')
  if (given.endsWith('/')) throw refuse(given, 'names a folder: only files are published')
  const parts = given
    .normalize('NFC')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw refuse(given, 'has .. in it')
  if (parts.length === 0) throw refuse(given, 'names no file')
  return parts.join('/')
}

/**
 * Throws `invalid_request` where two of these paths could not exist together on every file system.
 */
export function checkPathsCompatible(paths: readonly string[]): void {
  const seen = new Map<string, string>()
  for (const path of paths) {
    const other = seen.get(path.toLowerCase())
    if (other === path) throw refuse(path, 'is given twice')
    if (other !== undefined) throw refuse(path, `differs from ${JSON.stringify(other)} only in upper and lower case`)
    seen.set(path.toLowerCase(), path)
  }
  for (const path of paths) {
    const parts = path.toLowerCase().split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const file = seen.get(parts.slice(0, depth).join('/'))
      if (file !== undefined) throw refuse(path, `is inside ${JSON.stringify(file)}, which is a file`)
    }
  }
}
