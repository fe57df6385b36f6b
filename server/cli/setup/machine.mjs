import { ensureChromium } from './chromium.mjs'
import { ensurePython } from './python.mjs'

/**
 * Installs what the service uses of the machine, one after the other, since Debian's packages take
 * a lock. Returns where Chromium is, or null.
 * @param {Promise<unknown>} [installed]
 */
export async function ensureMachine(installed) {
  const chromium = await ensureChromium(installed)
  await ensurePython()
  return chromium
}
