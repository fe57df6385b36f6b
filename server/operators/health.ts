import { runRead } from '../db'
import { secretFromEnv } from '../env'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'
import { readModelEntries } from '../models/registry'
import { toolGroups } from '../tools/registry'
import type { HealthView } from './state-views'

/** Calls of the last hour that are looked at: what a page has time for. */
const MAX_CALLS = 20_000
const MAX_ERROR = 300

// A call that failed before its provider had the request is void, with an error.
const LAST_HOUR = statement({
  name: 'operators_last_hour',
  sql: `SELECT r.what, count(*)::int AS calls, (count(*) FILTER (WHERE r.failed))::int AS failed,
      (percentile_disc(0.5) WITHIN GROUP (ORDER BY r.ms))::int AS "medianMs",
      (percentile_disc(0.95) WITHIN GROUP (ORDER BY r.ms))::int AS "slowMs",
      max(r.at) FILTER (WHERE NOT r.failed) AS "lastSuccess", max(r.at) FILTER (WHERE r.failed) AS "lastFailure",
      (array_agg(r.error ORDER BY r.at DESC) FILTER (WHERE r.failed))[1] AS "lastError"
    FROM (SELECT c.what, c.at, c.detail ->> 'error' AS error,
        c.status = 'failed' OR (c.status = 'void' AND c.detail ->> 'error' IS NOT NULL) AS failed,
        (extract(epoch FROM c.at - c.started_at) * 1000)::int AS ms
      FROM receipt c WHERE c.at >= now() - interval '1 hour' AND c.status <> 'expired' LIMIT ${MAX_CALLS}) r
    GROUP BY r.what`,
  params: [],
  columns: {
    what: 'text',
    calls: 'int',
    failed: 'int',
    medianMs: 'int?',
    slowMs: 'int?',
    lastSuccess: 'timestamptz?',
    lastFailure: 'timestamptz?',
    lastError: 'text?',
  },
})

const NONE: HealthView = {
  calls: 0,
  failed: 0,
  medianMs: null,
  slowMs: null,
  lastSuccess: null,
  lastFailure: null,
  lastError: null,
}

/** The values of every variable that has a provider's credentials. */
function secretValues(): string[] {
  const names = [
    ...toolGroups.flatMap(({ settings }) => Object.keys(settings?.schema.shape ?? {})),
    ...readModelEntries().flatMap(({ upstreams }) => upstreams.flatMap(({ apiKeyEnv }) => apiKeyEnv ?? [])),
  ]
  return [...new Set(names)].flatMap((name) => secretFromEnv(name) ?? []).filter((value) => value.length >= 8)
}

/** A provider's error text without the values of this installation's variables. */
export const redactError = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '…'), text).slice(0, MAX_ERROR)

/** The later of two times, and what belongs to it. */
const isLater = (one: string | null, other: string | null): boolean => one !== null && (other === null || one > other)

/**
 * Two healths as one. A median of both is not known any more: that of the one with more calls is
 * taken, and the slower of the slow ones.
 */
export function joinHealth(one: HealthView, other: HealthView): HealthView {
  const slower = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.max(a, b))
  const failure = isLater(other.lastFailure, one.lastFailure) ? other : one
  return {
    calls: one.calls + other.calls,
    failed: one.failed + other.failed,
    medianMs: one.calls > other.calls ? one.medianMs : other.medianMs,
    slowMs: slower(one.slowMs, other.slowMs),
    lastSuccess: isLater(other.lastSuccess, one.lastSuccess) ? other.lastSuccess : one.lastSuccess,
    lastFailure: failure.lastFailure,
    lastError: failure.lastError,
  }
}

/** How the calls of the last hour went, by tool or model. */
export type LastHour = { isCut: boolean; of: (what: readonly string[]) => HealthView }

/** Reads how the calls of the last hour went, of all owners, from their receipts. */
export async function readLastHour(options?: ReadOptions): Promise<LastHour> {
  const secrets = secretValues()
  const rows = await runRead(LAST_HOUR, [], options)
  const healths = new Map<string, HealthView>(
    rows.map(({ what, lastSuccess, lastFailure, lastError, ...numbers }) => [
      what,
      {
        ...numbers,
        lastSuccess: lastSuccess?.toISOString() ?? null,
        lastFailure: lastFailure?.toISOString() ?? null,
        lastError: lastError === null ? null : redactError(lastError, secrets),
      },
    ]),
  )
  return {
    isCut: rows.reduce((sum, { calls }) => sum + calls, 0) >= MAX_CALLS,
    of: (names) => names.map((name) => healths.get(name) ?? NONE).reduce(joinHealth, NONE),
  }
}
