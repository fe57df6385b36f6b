import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** A place in a file, as stack traces write it. */
const PLACE = /((?:file:\/\/)?\/[^\s()]{1,1024}\.js):(\d{1,9}):(\d{1,9})/g

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
  return (error.stack ?? error.message).replace(PLACE, (place: string, url: string, line: string, column: string) => {
    const file = url.startsWith('file:') ? fileURLToPath(url) : url
    if (path.dirname(file) !== folder) return place
    const entry = readMap(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!entry || !('originalSource' in entry)) return place
    return `${path.resolve(folder, entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}
