import { closeQueue } from '../../agent/queue/connection'
import { closeDb } from '../../db'
import { log } from '../../kit/log'
import { closeParsers } from '../../kit/threads/pool'
import { closeChromium } from '../../tools/web/chromium'

/** Longest that all of it may take, milliseconds: several times what a slow collector is given. */
const CLOSE_MS = 30_000

/**
 * Waits for what a process that ends is closing, by its name, also where some of it fails. What has
 * not closed in time ends with the process: a connection may wait for a server that is gone.
 * Returns the names of that.
 */
export async function closeAll(closing: Record<string, Promise<unknown>>, limitMs = CLOSE_MS): Promise<string[]> {
  const open = new Set(Object.keys(closing))
  const all = Object.entries(closing).map(([name, closed]) => closed.catch(() => {}).then(() => open.delete(name)))
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([Promise.all(all), late])
  clearTimeout(timer)
  if (open.size > 0) log.error({ open: [...open], afterS: limitMs / 1_000 }, 'the process ends with this still open')
  return [...open]
}

/** Closes what a web or worker process has open, with the watchdog and tracing that it started. */
export const closeProcess = (own: { watchdog: () => Promise<unknown>; tracing: () => Promise<unknown> }) =>
  closeAll({
    chromium: closeChromium(),
    threads: closeParsers(),
    watchdog: own.watchdog(),
    queue: closeQueue(),
    database: closeDb(),
    tracing: own.tracing(),
  })
