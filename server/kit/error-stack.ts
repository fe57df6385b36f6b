import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** How a frame of a stack ends: a file, its line and its column. */
const FRAME_END = /\.js:(\d{1,9}):(\d{1,9})\)?$/

const maps = new Map<string, SourceMap | null>()

function readMap(file: string): SourceMap | null {
  const known = maps.get(file)
  if (known !== undefined) return known
  const mapFile = `${file}.map`
  const found = existsSync(mapFile) ? new SourceMap(JSON.parse(readFileSync(mapFile, 'utf8'))) : null
  maps.set(file, found)
  return found
}

/**
 * The stack of an error with places in the source. Node's own source maps would keep the maps of
 * all files in memory, 60 MB in a web process; these are read when the first error is logged, and
 * only those beside this bundle.
 */
export function errorStack(error: unknown, folder = import.meta.dirname): string {
  if (!(error instanceof Error)) return String(error)
  const lines = (error.stack ?? error.message).split('\n')
  return lines.map((line) => mapFrame(line, folder)).join('\n')
}

/** A line of a stack; unchanged where it is not a frame of a bundle in the folder. */
function mapFrame(frame: string, folder: string): string {
  const end = frame.trimStart().startsWith('at ') && FRAME_END.exec(frame)
  if (!end) return frame
  const before = frame.slice(0, end.index)
  const prefixes = [`${pathToFileURL(folder).href}/`, `${folder}/`]
  const prefix = prefixes.find((one) => before.includes(one))
  if (!prefix) return frame
  const start = before.lastIndexOf(prefix)
  const name = before.slice(start + prefix.length)
  if (name.includes('/')) return frame
  const entry = readMap(path.join(folder, `${name}.js`))?.findEntry(Number(end[1]) - 1, Number(end[2]) - 1)
  if (!entry || !('originalSource' in entry)) return frame
  const place = `${path.resolve(folder, entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  return `${frame.slice(0, start)}${place}${frame.endsWith(')') ? ')' : ''}`
}
