import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { FileStore, StoredObject } from './shape'

/** The names in a folder, in order; none when it does not exist. */
const namesIn = async (folder: string): Promise<string[]> => (await readdir(folder).catch(unlessFound([]))).sort()

/** Returns `instead` for a file that does not exist. */
const unlessFound =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return instead
    throw error
  }

async function stored(file: string, name: string): Promise<StoredObject | null> {
  const found = await stat(file).catch(unlessFound(null))
  return found && { name, at: found.mtime }
}

/** Keeps files in a folder, two levels deep so that no folder grows too large. */
export function diskStore(folder: string): FileStore {
  const root = path.resolve(folder)
  const pathOf = (id: string) => path.join(root, id.slice(0, 2), id)
  return {
    put: async (id, bytes) => {
      const target = pathOf(id)
      const draft = `${target}.${randomUUID()}.part`
      await mkdir(path.dirname(target), { recursive: true })
      try {
        await writeFile(draft, bytes, { flush: true })
        // Readers see the whole file or none.
        await rename(draft, target)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    get: async (id, range) => {
      const file = await open(pathOf(id)).catch(unlessFound(null))
      // Node types this stream differently from the web's.
      return file ? (Readable.toWeb(file.createReadStream(range)) as ReadableStream<Uint8Array>) : null
    },
    list: async (after) => {
      // One folder at a time; those before the folder of `after` hold earlier names only.
      for (const folder of await namesIn(root)) {
        if (folder < after.slice(0, 2)) continue
        const names = (await namesIn(path.join(root, folder))).filter((name) => name > after)
        const found = await Promise.all(names.map((name) => stored(pathOf(name), name)))
        const there = found.filter((s) => s !== null)
        if (there.length > 0) return there
      }
      return []
    },
    remove: async ({ name, at }) => {
      const now = await stored(pathOf(name), name)
      if (!now || now.at > at) return false
      await rm(pathOf(name), { force: true })
      return true
    },
  }
}
