import { setTimeout as sleep } from 'node:timers/promises'
import { canSendMail } from '../accounts/mail'
import { executeStatement } from '../db'
import { log } from '../kit/log'
import { announceNotices } from './announce'
import { FIND_REACHED, FIND_REFUSING } from './find-limits'
import { FIND_EXPIRING, FIND_PAUSED, FIND_UNDELIVERED, FIND_UNUSUAL } from './find-others'
import { sendNoticeMails } from './send-mails'

/** Milliseconds between two looks, at least and at most. */
const PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 60_000
/**
 * Between these, as many times as long as the last one took: looking takes a twentieth of a
 * connection, however many limits there are.
 */
const PAUSE_TIMES = 20
/** What changes slowly is looked for once in so many looks. */
const SELDOM = 12

const OFTEN_FOUND = [FIND_REACHED, FIND_REFUSING]
const SELDOM_FOUND = [FIND_UNUSUAL, FIND_EXPIRING, FIND_UNDELIVERED, FIND_PAUSED]

/** Writes notices of what has happened; `isWhole`: also of what is seldom looked for. */
export async function findNotices(isWhole = true): Promise<void> {
  for (const find of isWhole ? [...OFTEN_FOUND, ...SELDOM_FOUND] : OFTEN_FOUND) await executeStatement(find, [])
}

/** Sends what is due: webhooks through the queue, e-mails from here. */
export async function sendNotices(): Promise<void> {
  while (await announceNotices());
  if (canSendMail()) await sendNoticeMails()
}

/**
 * Looks for what people should know, until it is stopped. Every worker does this: each notice is
 * written once. Returns what stops it.
 */
export function startNotices(): () => void {
  const stop = new AbortController()
  void (async () => {
    for (let look = 0; !stop.signal.aborted; look++) {
      const begun = performance.now()
      let tookMs = 0
      try {
        await findNotices(look % SELDOM === 0)
        tookMs = performance.now() - begun
        await sendNotices()
      } catch (error) {
        if (!stop.signal.aborted) log.warn({ err: (error as Error).message }, 'looking for notices failed')
      }
      const pauseMs = Math.min(Math.max(PAUSE_MS, PAUSE_TIMES * tookMs), LONGEST_PAUSE_MS)
      await sleep(pauseMs, undefined, { signal: stop.signal, ref: false }).catch(() => {})
    }
  })()
  return () => stop.abort()
}
