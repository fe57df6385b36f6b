import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { systemPython } from '../../agent-tools/pod/system-python'
import type { Env } from '../../env'
import { openFileStore } from '../../files/store'
import { findChromiumPath } from '../../tools/web/find-chromium'
import { webSettings } from '../../tools/web/settings'
import { readableBytes } from '../backup/progress'
import { dataPath, PROJECT_ROOT } from '../kit/project'
import { type DoctorCheck, failure, reasonOf, rightsAdvice, warning, well } from './check'

/** How the text of a check begins for a folder that cannot be used at all. */
export const UNUSABLE = 'DATA_DIR cannot be used'

function usableFolder(): string | DoctorCheck {
  try {
    const folder = dataPath()
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return folder
  } catch (error) {
    const advice = rightsAdvice(error) ?? 'Let DATA_DIR name a folder that this user may write.'
    return failure('disk', `${UNUSABLE}, nor the secrets that are kept there: ${reasonOf(error)}`, advice)
  }
}

/** Looks at the folder that DATA_DIR names: whether it can be written, and how much is free. */
export async function checkDataFolder(): Promise<DoctorCheck> {
  const folder = usableFolder()
  if (typeof folder !== 'string') return folder
  const { bavail, blocks, bsize } = statfsSync(folder)
  const text = `${readableBytes(bavail * bsize)} free of ${readableBytes(blocks * bsize)} at ${folder}`
  const advice = 'Free some: journal, logs and the embedded database are there.'
  if (bavail * bsize < 100e6) return failure('disk', text, advice)
  return bavail * bsize < 1e9 || bavail < blocks * 0.05 ? warning('disk', text, advice) : well('disk', text)
}

/** Writes, reads and deletes a file in the storage. */
export async function checkStorage({ STORAGE_URL }: Pick<Env, 'STORAGE_URL'>): Promise<DoctorCheck> {
  const store = openFileStore(STORAGE_URL)
  const name = `${randomBytes(16).toString('hex')}.txt`
  const written = Buffer.from(`doctor ${name}`)
  await store.put(name, written, 'text/plain')
  const stream = await store.get(name)
  const read = stream === null ? null : Buffer.from(await new Response(stream).arrayBuffer())
  // Its clock may be ahead.
  await store.remove({ name, at: new Date(Date.now() + 3_600_000) })
  if (read === null || !read.equals(written))
    return failure(
      'storage',
      'a file that was written is read otherwise',
      'Look at the storage that STORAGE_URL names.',
    )
  const where = STORAGE_URL.startsWith('s3:') ? `bucket at ${new URL(STORAGE_URL).host}` : STORAGE_URL
  return well('storage', `${where}: a file was written, read and deleted`)
}

/** Whether the browser for screenshots is there. */
export async function checkChromium(): Promise<DoctorCheck> {
  const found = findChromiumPath(webSettings().CHROMIUM_PATH)
  if (found) return well('chromium', found)
  const advice = 'Install it (apt-get install chromium-headless-shell fonts-liberation) or set CHROMIUM_PATH.'
  return warning('chromium', 'not found: the tools for screenshots are off', advice)
}

/** Whether the shells of agents have the machine's own Python. */
export async function checkPython(): Promise<DoctorCheck> {
  if (await systemPython()) return well('python', 'shells of agents have pandas and matplotlib')
  const advice =
    'For pandas and matplotlib install bubblewrap, python3-pandas and python3-matplotlib, and let this user make namespaces.'
  return well('python', `shells of agents have the portable Python with its standard library. ${advice}`)
}

/** Whether what runs in threads was built. */
export async function checkThreads(): Promise<DoctorCheck> {
  const names = ['page', 'pdf', 'sql', 'schema', 'dataset', 'pod', 'watchdog'].map((name) => `${name}-thread.js`)
  const missing = names.filter((name) => !existsSync(path.join(PROJECT_ROOT, 'dist', name)))
  if (missing.length === 0) return well('build', 'processes and threads are built')
  return failure('build', `dist lacks ${missing.join(', ')}`, 'npm run build')
}
