import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { log } from '../../kit/log'
import { startSandboxProcess } from './start-sandbox'

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9'
const SETTINGS = { usesSandbox: true, SANDBOX_URL: NOWHERE }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-packed-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a folder that was packed without the simulated providers starts, and says what is missing', async () => {
  const said = vi.spyOn(log, 'error').mockImplementation(() => {})
  await writeFile(path.join(folder, 'web.js'), '')
  expect(await startSandboxProcess(SETTINGS, folder)).toBeNull()
  expect(said).toHaveBeenCalledWith({ url: NOWHERE }, expect.stringMatching(/--with-sandbox.*UPSTREAMS=live/))
})

test('among the sources nothing is missing: their command runs the sandbox', async () => {
  const said = vi.spyOn(log, 'error').mockImplementation(() => {})
  expect(await startSandboxProcess(SETTINGS, folder)).toBeNull()
  expect(said).not.toHaveBeenCalled()
})
