import type { ClientCall } from './call'
import type { ClientRecord, FaultChannel } from './channels/define'
import type { FaultKind } from './faults'
import type { LedgerState, StoredReceipt } from './ledger-state'

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

const isExpectedStatus = ({ status }: ClientCall, { part }: FaultKind): boolean =>
  status === 200 || status === 202 || status === 503 || (part === 'sandbox' && status === 502)

/** Compares what clients saw with an owner's books. */
export function auditCell(audited: Audited): AuditCell {
  const { fault, channel, seen, books } = audited
  const { calls, runs } = seen
  const all = [...calls, ...seen.unbilled]
  const count = (is: (call: ClientCall) => boolean) => all.filter(is).length
  const cutCharged = sum(receiptsOfCut(calls, books).map(({ charged }) => charged))
  const ofCalls = calls.filter(({ outcome }) => outcome !== 'cut').map(({ charged }) => charged ?? 0)
  const seenCredits = sum([...ofCalls, ...runs.map(({ spent }) => spent)])
  const difference = books.ledger - cutCharged - seenCredits
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
    ledger: books.ledger,
    cutCharged,
    holds: books.holds,
    pauseS: longestPause(calls, audited.beganAt) / 1_000,
    problems: [
      ...seen.problems,
      ...(difference === 0 ? [] : [`clients saw ${seenCredits} credits, the ledger has ${books.ledger - cutCharged}`]),
      ...(books.holds === 0 ? [] : [`${books.holds} holds left`]),
      ...wireProblems(all, fault),
      ...callProblems(audited),
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
  const unexpected = calls.filter((call) => call.status !== null && !isExpectedStatus(call, fault))
  return [
    ...summarize(notes(cut), 'connections closed under a call'),
    ...summarize(notes(calls.filter(({ outcome }) => outcome === 'hung')), 'calls never answered'),
    ...summarize(notes(unexpected), 'unexpected statuses'),
  ]
}

const byId = ({ receipts }: LedgerState) => new Map(receipts.map((receipt) => [receipt.id, receipt]))

/**
 * Charges of calls whose client knows nothing: those with an id that was cut, and those no client
 * has an id of.
 */
function receiptsOfCut(calls: readonly ClientCall[], books: LedgerState): StoredReceipt[] {
  const known = new Set(calls.filter(({ outcome }) => outcome !== 'cut').map(({ requestId }) => requestId))
  return books.receipts.filter(({ id, charged }) => charged > 0 && !known.has(id))
}

function callProblems({ channel, seen: { calls }, books, recoveredAt }: Audited): string[] {
  const receipts = byId(books)
  const charged = (call: ClientCall) => receipts.get(call.requestId ?? '')?.charged ?? 0
  const answered = calls.filter(({ outcome }) => outcome === 'answered')
  const differing = answered.filter((call) => call.charged !== null && call.charged !== charged(call))
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
  const broken = runs.filter(({ status }) => status !== 'completed' && !(mayFail && status === 'failed'))
  const uneven = runs.filter(({ spent, steps, status }) => status !== 'stuck' && spent !== steps)
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
