import path from 'node:path'
import { followLinks } from '../../path'
import { isSystemPath, POD_HOME, type PodFiles } from '../../pod-files'
import { type ScriptWord, wordText } from './word'

/** What a command finds when it starts, as far as it matters to whether it destroys anything. */
export type ScriptContext = {
  kindOf: (path: string) => 'file' | 'folder' | null
  /** Paths of files and links. */
  files: readonly string[]
  textAt: (path: string) => string | null
  /** The folders that relative paths may start from; null: any. */
  bases: readonly string[] | null
}

export function scriptContextOf(files: PodFiles, cwd: string): ScriptContext {
  const hasLinks = [...files.values()].some(({ kind }) => kind === 'link')
  const kindOf = (at: string) => {
    const entry = files.get(at) ?? (hasLinks ? files.get(followLinks(files, at)) : undefined)
    if (entry) return entry.kind === 'folder' ? 'folder' : 'file'
    return at === '/' || at === POD_HOME || at === '/tmp' ? 'folder' : null
  }
  const textAt = (at: string) => {
    const entry = files.get(at)
    return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString('utf8') : null
  }
  const paths = [...files].flatMap(([at, { kind }]) => (kind === 'folder' ? [] : [at]))
  return { kindOf, files: paths, textAt, bases: [cwd] }
}

/** Every absolute path that a readable word may mean; null where that cannot be told. */
export function possiblePaths({ bases }: ScriptContext, text: string): string[] | null {
  if (text.startsWith('/')) return [path.posix.resolve(text)]
  return bases ? bases.map((base) => path.posix.resolve(base, text)) : null
}

const HARMLESS = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/

/** True when writing to a word may put an end to what stands there now. */
export function mayOverwrite(world: ScriptContext, arg: ScriptWord): boolean {
  const text = wordText(arg)
  if (text === null) return world.files.some(pathMatcherFor(world, arg))
  if (text === '' || HARMLESS.test(text)) return false
  const places = possiblePaths(world, text)
  if (!places) return world.files.some(pathMatcherFor(world, arg))
  return places.some((at) => isSystemPath(at) || world.kindOf(at) === 'file')
}

/** True for a path that a word may come to mean, whatever its unknown parts turn out to be. */
export function pathMatcherFor({ bases }: ScriptContext, arg: ScriptWord): (at: string) => boolean {
  const [first = null, ...rest] = arg.map((piece) => piece?.replace(/\/{2,}/g, '/') ?? null)
  const tidy: ScriptWord = [first?.replace(/^(\.\/)+/, '') ?? null, ...rest]
  // Steps upwards could lead anywhere.
  if (tidy.some((piece) => piece !== null && /(^|\/)\.\.?(\/|$)/.test(piece))) return () => true
  if (tidy[0] === null || tidy[0]?.startsWith('/')) return matcherOf(tidy)
  const starts: ScriptWord[] = bases ? bases.map((base) => [base === '/' ? '/' : `${base}/`]) : [[null, '/']]
  const fits = starts.map((start) => matcherOf([...start, ...tidy]))
  return (at) => fits.some((one) => one(at))
}

/** Tells whether a path has these pieces in this order, with anything where a piece is unknown; in linear time. */
function matcherOf(arg: ScriptWord): (at: string) => boolean {
  const runs = ['']
  for (const piece of arg) {
    if (piece === null) runs.push('')
    else runs[runs.length - 1] += piece
  }
  const [first = '', ...rest] = runs
  const last = rest.pop()
  if (last === undefined) return (at) => at === first
  const inside = rest.filter((run) => run !== '')
  const least = runs.reduce((sum, run) => sum + run.length, 0)
  return (at) => {
    if (at.length < least || !at.startsWith(first) || !at.endsWith(last)) return false
    let from = first.length
    for (const run of inside) {
      const found = at.indexOf(run, from)
      if (found < 0) return false
      from = found + run.length
    }
    return from <= at.length - last.length
  }
}

/** True when a folder that stands there now has anything in it. */
export const folderHasContent = ({ files }: ScriptContext, folder: string): boolean =>
  files.some((at) => at.startsWith(folder === '/' ? '/' : `${folder}/`))
