import { existsSync, renameSync } from 'node:fs'

/** Logs of earlier starts that are kept beside the newest. */
const KEPT = 5

/**
 * Moves earlier logs out of the way of a new one: `web.log` becomes `web.log.1`, and so on, so that
 * the log of a crash survives the start after it.
 */
export function rotateLog(file: string): void {
  for (let n = KEPT; n > 0; n--) {
    const older = n === 1 ? file : `${file}.${n - 1}`
    if (existsSync(older)) renameSync(older, `${file}.${n}`)
  }
}
