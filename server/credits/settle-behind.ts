import { env } from '../env'
import { log } from '../kit/log'
import { writeSettlement } from './ledger-batch'
import { clearJournalLater, countPendingSettlements, settleLater } from './pending-settlements'
import { recordSettlement, type SettleRequest } from './settlement'
import { appendToJournal, settledInJournal } from './settlement-journal'
import { nameSlice } from './sliced-calls'
import { countUnwritten, noteUnwritten } from './unwritten'

/**
 * How old a call may be that is answered before its charge is written, milliseconds. To an older
 * one a commit is nothing; and a read in another process then knows by a hold's age whether its
 * call may have been answered (`wait-for-writers.ts`), and no hold is swept before: its process has
 * renewed its lease for it.
 */
export const SHORT_CALL_MS = 250
/** With so many behind, the database is slower than the calls: answers wait for it again. */
const MAX_UNWRITTEN = 2_000

/**
 * Whether a call may be answered before its charge is written: a short one that was delivered. What
 * is stored for a repeat of it, and what frees its Idempotency-Key, is written before.
 */
export const mayAnswerFirst = ({ id, status, answer }: SettleRequest): boolean =>
  env().DURABLE_ANSWERS === 0 &&
  status === 'ok' &&
  answer === undefined &&
  isYoung(id) &&
  countUnwritten() < MAX_UNWRITTEN &&
  countPendingSettlements() === 0

/** By the time in its id. A clock that was set back makes it old. */
function isYoung(id: string): boolean {
  const ageMs = Date.now() - Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
  return ageMs >= 0 && ageMs < SHORT_CALL_MS
}

type Due = { request: SettleRequest; answer: (isKept: boolean) => void }
let due: Due[] = []

/**
 * Resolves when the settlement is in this process's journal, in one write with those of the same
 * turn, and has it written behind. False: the journal did not take it, and nothing was done.
 */
export const settleBehind = (request: SettleRequest): Promise<boolean> =>
  new Promise((answer) => {
    nameSlice(request)
    if (due.push({ request, answer }) === 1) setImmediate(appendDue)
  })

function appendDue(): void {
  const now = due
  due = []
  const isKept = appendToJournal(now.map(({ request }) => ({ request, why: 'write' })))
  for (const { request, answer } of now) {
    if (isKept) noteUnwritten(request.id, request.ownerId, write(request))
    answer(isKept)
  }
}

async function write(request: SettleRequest): Promise<void> {
  try {
    const row = await writeSettlement(request, true)
    if (row.outcome === 'unknown') return settleLater(request)
    recordSettlement(request, row)
    settledInJournal(request.id)
    clearJournalLater()
  } catch (error) {
    log.warn({ hold: request.id, err: (error as Error).message }, 'a settlement behind its answer has to wait')
    settleLater(request)
  }
}
