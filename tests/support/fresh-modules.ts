// Runs before each file of a project whose files share a worker: each file gets fresh modules and
// settings.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, vi } from 'vitest'

vi.resetModules()
const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-test-'))
const variables = { ...process.env }
process.env.DATA_DIR = folder

afterAll(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name]
  Object.assign(process.env, variables)
  rmSync(folder, { recursive: true, force: true })
})
