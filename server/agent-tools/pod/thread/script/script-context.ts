import path from 'node:path'
import { followLinks } from '../../path'
import { isSystemPath, POD_HOME, type PodFiles } from '../../pod-files'
import { type ScriptWord, wordText } from './word'

/**
 * What a command finds when it starts, as far as that decides whether it destroys anything. Files
 * that may be destroyed are not there.
 */
export type ScriptContext = {
  kindOf: (path: string) => 'file' | 'folder' | null
  /** Paths of files and links. */
  files: readonly string[]
  textAt: (path: string) => string | null
  /** The folders that relative paths may start from; null: any. */
  folders: readonly string[] | null
}

export function scriptContextOf(files: PodFiles, cwd: string, kept: PodFiles = files): ScriptContext {
  const hasLinks = [...files.values()].some(({ kind }) => kind === 'link')
  const targetOf = (at: string) => (hasLinks ? followLinks(files, at) : at)
  const isKept = (at: string) => kept.has(at) || kept.has(targetOf(at))
  const kindOf = (at: string) => {
    const entry = files.get(at) ?? files.get(targetOf(at))
    if (entry) return entry.kind === 'folder' ? 'folder' : isKept(at) ? 'file' : null
    return at === '/' || at === POD_HOME || at === '/tmp' ? 'folder' : null
  }
  const textAt = (at: string) => {
    const entry = files.get(at)
    return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString('utf8') : null
  }
  const paths = [...files].flatMap(([at, { kind }]) => (kind === 'folder' || !isKept(at) ? [] : [at]))
  return { kindOf, files: paths, textAt, folders: [cwd] }
}

/** Every absolute path that a known word may mean; null: any. */
export function possiblePaths({ folders }: ScriptContext, text: string): string[] | null {
  if (text.startsWith('/')) return [path.posix.resolve(text)]
  return folders ? folders.map((base) => path.posix.resolve(base, text)) : null
}

const HARMLESS_DEVICES = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/

/** True when writing to a word may overwrite a file. */
export function mayOverwrite(context: ScriptContext, arg: ScriptWord): boolean {
  const text = wordText(arg)
  if (text === null) return context.files.some(pathMatcherFor(context, arg))
  if (text === '' || HARMLESS_DEVICES.test(text)) return false
  const places = possiblePaths(context, text)
  if (!places) return context.files.some(pathMatcherFor(context, arg))
  return places.some((at) => isSystemPath(at) || context.kindOf(at) === 'file')
}

/** Matches every path that a word may mean, whatever its unknown parts are. */
export function pathMatcherFor({ folders }: ScriptContext, arg: ScriptWord): (at: string) => boolean {
  const [first = null, ...rest] = arg.map((piece) => piece?.replace(/\/{2,}/g, '/') ?? null)
  const tidy: ScriptWord = [first?.replace(/^(\.\/)+/, '') ?? null, ...rest]
  // With `..` it could be any path.
  if (tidy.some((piece) => piece !== null && /(^|\/)\.\.?(\/|$)/.test(piece))) return () => true
  if (tidy[0] === null || tidy[0]?.startsWith('/')) return matchPieces(tidy)
  const starts: ScriptWord[] = folders ? folders.map((base) => [base === '/' ? '/' : `${base}/`]) : [[null, '/']]
  const fits = starts.map((start) => matchPieces([...start, ...tidy]))
  return (at) => fits.some((one) => one(at))
}

/** Matches paths with these pieces in order and anything for unknown ones, in linear time. */
function matchPieces(arg: ScriptWord): (at: string) => boolean {
  const runs = ['']
  for (const piece of arg) {
    if (piece === null) runs.push('')
    else runs[runs.length - 1] += piece
  }
  const [first = '', ...rest] = runs
  const last = rest.pop()
  if (last === undefined) return (at) => at === first
  const inside = rest.filter((run) => run !== '')
  const minLength = runs.reduce((sum, run) => sum + run.length, 0)
  return (at) => {
    if (at.length < minLength || !at.startsWith(first) || !at.endsWith(last)) return false
    let from = first.length
    for (const run of inside) {
      const found = at.indexOf(run, from)
      if (found < 0) return false
      from = found + run.length
    }
    return from <= at.length - last.length
  }
}

/** True when a folder has any files. */
export const folderHasContent = ({ files }: ScriptContext, folder: string): boolean =>
  files.some((at) => at.startsWith(folder === '/' ? '/' : `${folder}/`))

/** True for an option, and where no file is at the paths that a word means, nor below them. */
export function isNothingKept(context: ScriptContext, arg: ScriptWord): boolean {
  const text = wordText(arg)
  if (text?.startsWith('-')) return true
  const places = text === null ? null : possiblePaths(context, text)
  return places?.every((at) => context.kindOf(at) !== 'file' && !folderHasContent(context, at)) ?? false
}
