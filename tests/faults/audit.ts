import type { ClientCall } from './call'
import type { ClientRecord, FaultChannel } from './channels/define'
import type { FaultKind } from './faults'
import type { LedgerState, StoredReceipt } from './ledger-state'
import { asOneCall, type LostTime, mayBeLost, type OneCall } from './one-call'

/**
 * One fault on one channel: what its clients saw, what the ledger says, and everything wrong with
 * it.
 */
export type AuditCell = {
  channel: string
  calls: number
  delivered: number
  unavailable: number
  otherErrors: number
  unsent: number
  cut: number
  /** Credits that clients saw, those the ledger has, and those of calls whose connection closed. */
  seen: number
  ledger: number
  cutCharged: number
  holds: number
  /** Longest time from the fault's beginning on in which no call was delivered, in seconds. */
  pauseS: number
  problems: string[]
}

type Audited = {
  fault: FaultKind
  channel: FaultChannel
  seen: ClientRecord
  books: LedgerState
  beganAt: number
  recoveredAt: number
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Several findings of a kind as one line with the first of them; none as no line. */
const summarize = (found: readonly string[], what: string): string[] =>
  found.length === 0 ? [] : [`${found.length} ${what}, such as ${found[0]}`]

/** A repeated call is 409 while an earlier attempt is in progress. */
const isExpectedStatus = ({ status, token, charged }: ClientCall, { part, isFrozen }: FaultKind): boolean =>
  status === 200 ||
  status === 202 ||
  status === 503 ||
  (status === 409 && token !== undefined) ||
  (status === 502 && (part === 'sandbox' || (isFrozen === true && charged === 0)))

const isLost = ({ startedAt, ms }: ClientCall, lost: LostTime | null | undefined): boolean =>
  mayBeLost(lost, startedAt, startedAt + ms)

/** Compares what clients saw with an owner's books. */
export function auditCell(audited: Audited): AuditCell {
  const { fault, channel, seen, books } = audited
  const { runs } = seen
  const calls = asOneCall(seen.calls, books)
  const lost = fault.lost?.()
  const charged = chargesOf(books)
  const all = [...calls, ...seen.unbilled]
  const count = (is: (call: ClientCall) => boolean) => all.filter(is).length
  const cutCharged = sum(receiptsOfCut(calls, books).map(({ charged }) => charged))
  const ofCalls = calls
    .filter(({ outcome }) => outcome !== 'cut')
    .map((call) => (isLost(call, lost) ? charged(call) : (call.charged ?? 0)))
  // Of runs that went on from a backup, what they spent is in their steps; `verify` compares those.
  const seenCredits = sum([...ofCalls, ...(lost ? [] : runs.map(({ spent }) => spent))])
  const inLedger = lost ? sum(books.receipts.map((receipt) => receipt.charged)) : books.ledger
  const difference = inLedger - cutCharged - seenCredits
  return {
    channel: channel.name,
    calls: calls.length + runs.length,
    delivered:
      calls.filter((call) => call.isDelivered).length + runs.filter(({ status }) => status === 'completed').length,
    unavailable: count(({ status, isDelivered }) => status === 503 || (status === 200 && !isDelivered)),
    otherErrors: count(({ status }) => status !== null && status > 202 && status !== 503),
    unsent: count(({ outcome }) => outcome === 'unsent'),
    cut: count(({ outcome }) => outcome === 'cut'),
    seen: seenCredits,
    ledger: inLedger,
    cutCharged,
    holds: books.holds,
    pauseS: longestPause(calls, audited.beganAt) / 1_000,
    problems: [
      ...seen.problems,
      ...(difference === 0 ? [] : [`clients saw ${seenCredits} credits, the ledger has ${inLedger - cutCharged}`]),
      ...(books.holds === 0 ? [] : [`${books.holds} holds left`]),
      ...wireProblems([...seen.calls, ...seen.unbilled], fault),
      ...callProblems(audited, calls),
      ...(channel.hasRuns ? runProblems(audited) : []),
    ],
  }
}

/** The longest time between two deliveries, in milliseconds. */
function longestPause(calls: readonly ClientCall[], beganAt: number): number {
  const delivered = calls.filter(({ isDelivered }) => isDelivered).map(({ startedAt, ms }) => startedAt + ms)
  const ends = [beganAt, ...delivered.filter((at) => at > beganAt).sort((a, b) => a - b)]
  return ends.reduce((longest, at, i) => Math.max(longest, at - (ends[i - 1] ?? at)), 0)
}

/** What no fault may do to a connection or a status. */
function wireProblems(calls: readonly ClientCall[], fault: FaultKind): string[] {
  const notes = (found: readonly ClientCall[]) => found.map(({ note, ms }) => `"${note}" after ${ms} ms`)
  const cut = fault.mayCut ? [] : calls.filter(({ outcome }) => outcome === 'cut')
  const unexpected = calls.filter(
    (call) => call.status !== null && !isExpectedStatus(call, fault) && !isLost(call, fault.lost?.()),
  )
  return [
    ...summarize(notes(cut), 'connections closed under a call'),
    ...summarize(notes(calls.filter(({ outcome }) => outcome === 'hung')), 'calls never answered'),
    ...summarize(notes(unexpected), 'unexpected statuses'),
  ]
}

/** What the ledger charged for a call. */
function chargesOf({ receipts }: LedgerState): (call: ClientCall) => number {
  const byId = new Map(receipts.map((receipt) => [receipt.id, receipt]))
  return ({ requestId }) => byId.get(requestId ?? '')?.charged ?? 0
}

/**
 * Charges of calls whose client knows nothing: those with an id that was cut, and those no client
 * has an id of.
 */
function receiptsOfCut(calls: readonly ClientCall[], books: LedgerState): StoredReceipt[] {
  const known = new Set(calls.filter(({ outcome }) => outcome !== 'cut').map(({ requestId }) => requestId))
  return books.receipts.filter(({ id, charged }) => charged > 0 && !known.has(id))
}

function callProblems({ fault, channel, books, recoveredAt }: Audited, calls: readonly OneCall[]): string[] {
  const charged = chargesOf(books)
  const isGone = (call: ClientCall) => charged(call) === 0 && isLost(call, fault.lost?.())
  const answered = calls.filter(({ outcome }) => outcome === 'answered')
  const differing = answered.filter((call) => call.charged !== null && call.charged !== charged(call) && !isGone(call))
  const retold = calls.filter(({ charges }) => new Set(charges).size > 1)
  const silent = answered.filter((call) => call.charged === null && charged(call) > 0)
  const free = answered.filter((call) => call.isDelivered && (call.charged ?? 0) < channel.minPrice)
  const ofCut = receiptsOfCut(calls, books)
  const cut = calls.filter(({ outcome }) => outcome === 'cut').length
  const odd = ofCut.filter(({ status }) => status !== 'ok' && status !== 'failed')
  const isServedAgain = answered.some(({ isDelivered, startedAt }) => isDelivered && startedAt >= recoveredAt)
  return [
    ...summarize(
      differing.map((call) => `${call.requestId}: ${call.charged} reported, ${charged(call)} charged`),
      'charges differ',
    ),
    ...summarize(
      retold.map(({ token, charges }) => `${token}: ${charges.join(', ')}`),
      'repeated calls with another charge',
    ),
    ...summarize(
      silent.map((call) => `${call.requestId}: ${charged(call)} for "${call.note}"`),
      'calls charged without a report',
    ),
    ...summarize(
      free.map((call) => `${call.requestId}: ${call.charged} for "${call.note}"`),
      'calls delivered free or too cheaply',
    ),
    ...(ofCut.length > cut ? [`${ofCut.length} charges that no client knows of, for ${cut} closed connections`] : []),
    ...summarize(
      odd.map(({ id, status }) => `${id}: ${status}`),
      'charges of calls that did not end',
    ),
    ...(isServedAgain ? [] : ['not served again after the fault']),
  ]
}

function runProblems({ fault, seen: { runs }, recoveredAt }: Audited): string[] {
  const mayFail = fault.part === 'sandbox'
  const kept = runs.filter(({ startedAt, finishedAt }) => !mayBeLost(fault.lost?.(), startedAt, finishedAt))
  const broken = kept.filter(({ status }) => status !== 'completed' && !(mayFail && status === 'failed'))
  const uneven = kept.filter(({ spent, steps, status }) => status !== 'stuck' && spent !== steps)
  const isServedAgain = runs.some(({ status, finishedAt }) => status === 'completed' && finishedAt >= recoveredAt)
  return [
    ...summarize(
      broken.map(({ jobId, status }) => `${jobId}: ${status}`),
      'runs did not complete',
    ),
    ...summarize(
      uneven.map(({ jobId, spent, steps }) => `${jobId}: spent ${spent}, steps cost ${steps}`),
      'runs whose steps do not add up',
    ),
    ...(isServedAgain ? [] : ['no run completed after the fault']),
  ]
}
