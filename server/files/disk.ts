import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { Store } from './shape'

/** Keeps files in a folder, two levels deep so that no directory grows without end. */
export function diskStore(folder: string): Store {
  const root = path.resolve(folder)
  const pathOf = (id: string) => path.join(root, id.slice(0, 2), id)
  return {
    put: async (id, bytes) => {
      const target = pathOf(id)
      const draft = `${target}.${randomUUID()}.part`
      await mkdir(path.dirname(target), { recursive: true })
      try {
        await writeFile(draft, bytes, { flush: true })
        // A reader sees the whole file or none.
        await rename(draft, target)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    get: async (id, range) => {
      const file = await open(pathOf(id)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      // Node's own stream type has no way to say that it is the web's.
      return file ? (Readable.toWeb(file.createReadStream(range)) as ReadableStream<Uint8Array>) : null
    },
  }
}
