import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { env } from '../../server/env'

/** A folder of its own for the files that a test hosts, at https://g.example. */
export function withOwnStorage(): void {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tollgate-storage-'))
    const STORAGE_URL = `file:${path.relative(process.cwd(), folder)}`
    Object.assign(env(), { STORAGE_URL, PUBLIC_URL: 'https://g.example' })
  })
  afterAll(() => rm(folder, { recursive: true }))
}

/** Files of a site from pairs of path and text. */
export const siteFiles = (...texts: [path: string, content: string][]) =>
  texts.map(([path, content]) => ({ path, content }))
