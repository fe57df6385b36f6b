import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { env } from '../../server/env'

/**
 * A temporary folder for the files that a test hosts, at https://g.example. Returns its path.
 */
export function withTemporaryStorage(): () => string {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tollgate-storage-'))
    const STORAGE_URL = `file:${path.relative(process.cwd(), folder)}`
    Object.assign(env(), { STORAGE_URL, PUBLIC_URL: 'https://g.example' })
  })
  afterAll(() => rm(folder, { recursive: true }))
  return () => folder
}
