import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction, runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import type { SettingsOutcome } from '../kit/siblings'
import { type RowOf, statement } from '../kit/statement'
import { COMMAND_LINE, type Operator, recordAct } from './operator'
import { listProcesses, type ProcessFacts } from './processes'
import { type SettingsAttempt, SettingsDetail, type SettingsView } from './state-views'

/** Whose account such an act concerns: that of the service itself. */
const THE_SERVICE = 0

const MAX_ATTEMPTS = 20
/** Longer than processes take to notice a request, and to start in the place of the former ones. */
const ANSWER_MS = 90_000
const POLL_MS = 500

const ATTEMPTS = statement({
  name: 'operators_settings_attempts',
  sql: `SELECT e.id, e.at, e.action, e.actor, e.subject, e.detail FROM audit_event e
    WHERE e.owner_id = ${THE_SERVICE} AND e.action IN ('settings_read', 'settings_refused') AND e.id > $1
    ORDER BY e.id DESC LIMIT $2`,
  params: ['bigint', 'bigint'],
  columns: { id: 'bigint', at: 'timestamptz', action: 'text', actor: 'text?', subject: 'text?', detail: 'jsonb?' },
})

const REQUESTED = statement({
  name: 'operators_settings_requested',
  sql: `SELECT e.id, least(extract(epoch FROM clock_timestamp() - e.at) * 1000, 1e9)::int AS "ageMs" FROM audit_event e
    WHERE e.owner_id = ${THE_SERVICE} AND e.action = 'settings_requested' ORDER BY e.id DESC LIMIT 1`,
  params: [],
  columns: { id: 'bigint', ageMs: 'int' },
})

const viewAttempt = ({ id, at, action, subject, detail }: RowOf<typeof ATTEMPTS>): SettingsAttempt => ({
  id,
  at: at.toISOString(),
  process: subject ?? '',
  isRefused: action === 'settings_refused',
  ...SettingsDetail.parse(detail),
})

/** What each process has read, and what came of the last attempts. */
export async function readSettingsState(options?: ReadOptions): Promise<SettingsView> {
  const [processes, attempts] = await Promise.all([
    listProcesses(options),
    runRead(ATTEMPTS, [0n, BigInt(MAX_ATTEMPTS)], options),
  ])
  return { processes, attempts: attempts.map(viewAttempt) }
}

/**
 * Has every launcher read its settings again, and waits until each has said what came of it.
 * `silent` are processes of launchers that have not, and of none: these need a restart.
 */
export async function readSettingsAgain(operator: Operator): Promise<{
  attempts: SettingsAttempt[]
  silent: string[]
}> {
  const asked = { ownerId: THE_SERVICE, action: 'settings_requested' } as const
  const id = await inTransaction((tx) => recordAct(tx, operator, asked))
  const until = performance.now() + ANSWER_MS
  for (;;) {
    // Again each time: one that was killed counts as living until its lease ends.
    const expected = (await listProcesses()).filter(({ isLeaving }) => !isLeaving)
    const launchers = new Set(expected.flatMap(({ launcher }) => launcher ?? []))
    const rows = (await runRead(ATTEMPTS, [id, BigInt(launchers.size * 2 + MAX_ATTEMPTS)])).map(viewAttempt)
    const attempts = rows.filter(({ requests }) => requests.includes(String(id)))
    const answered = new Set(attempts.map(({ launcher }) => launcher))
    if (launchers.isSubsetOf(answered) || performance.now() > until) {
      const silent = expected.filter(({ launcher }) => launcher === null || !answered.has(launcher))
      return { attempts, silent: silent.map(nameOf) }
    }
    await sleep(POLL_MS)
  }
}

/** What people call a process by. */
export const nameOf = ({ kind, host }: Pick<ProcessFacts, 'kind' | 'host'>): string => `${kind} on ${host}`

/** The last request of an operator, and how long ago it was made; null without one. */
export async function lastSettingsRequest(): Promise<{ request: string; ageMs: number } | null> {
  const [row] = await runRead(REQUESTED, [])
  return row ? { request: row.id, ageMs: row.ageMs } : null
}

/** Writes down what came of reading the settings again. */
export const recordSettingsOutcome = ({ problem, ...detail }: SettingsOutcome, process: string): Promise<bigint> =>
  inTransaction((tx) =>
    recordAct(tx, COMMAND_LINE, {
      ownerId: THE_SERVICE,
      action: problem === null ? 'settings_read' : 'settings_refused',
      subject: process,
      detail: { ...detail, problem },
    }),
  )
