import { LRUCache } from 'lru-cache'
import { executeStatement, inAct, prisma } from '../db'
import { env } from '../env'
import { AppError } from '../errors'
import { statement } from '../kit/statement'
import type { RequestLogSetting } from './shape'

const STEP = 500
/** Whoever turns the log off waits no longer: retention deletes the rest. */
const MAX_STEPS = 40

const DELETE_OF_OWNER = statement({
  name: 'request_log_delete_of_owner',
  sql: `DELETE FROM request_log WHERE id IN (
    SELECT l.id FROM request_log l WHERE l.owner_id = $1 LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: ['int'],
})

/** Deletes what is kept of an owner, up to 20,000 calls. */
async function deleteLogOf(ownerId: number): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    if ((await executeStatement(DELETE_OF_OWNER, [ownerId])) < STEP) return
  }
}

/** How long another process may not know yet that an owner turned the log on. */
const TTL_MS = 30_000

const readConsent = async (ownerId: number): Promise<boolean> =>
  (await prisma().owner.findUnique({ where: { id: ownerId }, select: { keepsRequestLog: true } }))?.keepsRequestLog ??
  false

const consents = new LRUCache<number, boolean>({ max: 10_000, ttl: TTL_MS, fetchMethod: readConsent })

/** What this process knows of an owner's choice; undefined: nothing. */
export const knownConsent = (ownerId: number): boolean | undefined => consents.get(ownerId)

/**
 * Whether an owner chose that requests are kept. What is written checks it again: an owner who has
 * turned it off is safe from a process that does not know yet.
 */
export const consentOf = async (ownerId: number): Promise<boolean> => (await consents.fetch(ownerId)) === true

/** Whether requests of an owner are kept, and for how long. */
export async function getRequestLogSetting(ownerId: number): Promise<RequestLogSetting> {
  const { REQUEST_LOG, RETAIN_REQUEST_LOG_DAYS } = env()
  return { isOffered: REQUEST_LOG === 'on', isOn: await readConsent(ownerId), days: RETAIN_REQUEST_LOG_DAYS }
}

/**
 * Turns an owner's request log on or off. Off deletes what was kept: from then on it cannot be
 * read, and what is not deleted when this returns is deleted by retention. Throws `conflict` where
 * the operator keeps no request log.
 */
export async function setRequestLog(ownerId: number, isOn: boolean): Promise<RequestLogSetting> {
  if (isOn && env().REQUEST_LOG === 'off') throw new AppError('conflict', 'This service keeps no request log.')
  await inAct((tx) => tx.owner.update({ where: { id: ownerId }, data: { keepsRequestLog: isOn } }))
  consents.delete(ownerId)
  if (!isOn) await deleteLogOf(ownerId)
  return getRequestLogSetting(ownerId)
}
