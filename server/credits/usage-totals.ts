import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'
import { keyNames, largestKeys } from './largest-keys'
import type { ReceiptFilter } from './receipt-filter'
import type { UsageBreakdown, UsageSum, UsageTotals } from './shape'
import { bucketsOf } from './usage-range'
import { type BucketSum, type SumGroup, sumUsage } from './usage-sums'

/** Series of a chart; the rest is one more. */
const MAX_SERIES = 6
/** Keys of which a chart's are chosen: of few days, and where other filters narrow their calls. */
const MAX_KEYS = 50
const MAX_NARROWED_KEYS = 20
/** The same of many days without other filters: what their edges change is little. */
const MAX_KEYS_OF_ALL = 12
const MANY_BUCKETS = 50

type Asked = {
  filter: ReceiptFilter & { timeZone: string }
  by: UsageBreakdown
  today: string
  /** Whether the id is a tool's: the others are models. */
  isTool: (what: string) => boolean
  /** Sums of all the calls in the same buckets, where they are being read already. */
  every?: Promise<readonly BucketSum[]>
}

const NO_CALLS: UsageSum = { calls: 0, charged: 0, failed: 0, inputTokens: 0, outputTokens: 0 }

const plus = (a: UsageSum, b: UsageSum, times = 1): UsageSum => ({
  calls: a.calls + times * b.calls,
  charged: a.charged + times * b.charged,
  failed: a.failed + times * b.failed,
  inputTokens: a.inputTokens + times * b.inputTokens,
  outputTokens: a.outputTokens + times * b.outputTokens,
})

/** What several sums come to. */
export const sumOfUsage = (sums: readonly UsageSum[]): UsageSum => sums.reduce((a, b) => plus(a, b), NO_CALLS)

const GROUP_OF: Record<UsageBreakdown, SumGroup> = {
  product: 'product',
  tool: 'what',
  model: 'what',
  key: 'key',
  channel: 'channel',
}

const FIRST_DAY = statement({
  name: 'usage_first_day',
  sql: `SELECT to_char(least((SELECT min(u.hour) FROM usage_hour u WHERE u.owner_id = $1 AND u.key_id = -1),
    (SELECT min(r.at) FROM receipt r WHERE r.owner_id = $1)) AT TIME ZONE $2, 'YYYY-MM-DD') AS day`,
  params: ['int', 'text'],
  columns: { day: 'text?' },
})

/** The day of an owner's first call, YYYY-MM-DD in a time zone; `to` where that is earlier. */
async function firstDayOf(
  ownerId: number,
  { timeZone, to }: { timeZone: string; to: string },
  options?: ReadOptions,
): Promise<string> {
  const day = (await runRead(FIRST_DAY, [ownerId, timeZone], options))[0]?.day
  return day && day < to ? day : to
}

/** Totals of an owner's calls over the filter's days (default: all), broken down and per bucket. */
export async function readUsageTotals(ownerId: number, asked: Asked, options?: ReadOptions): Promise<UsageTotals> {
  const { filter, by, today } = asked
  const to = filter.to ?? today
  const from = filter.from ?? (await firstDayOf(ownerId, { timeZone: filter.timeZone, to }, options))
  const days = { ...filter, from, to }
  const buckets = bucketsOf(days)
  const isOfReceipts = filter.jobId !== undefined || filter.customer !== undefined
  const isRanked = by === 'key' && filter.keyId === undefined && !isOfReceipts
  const read = (group: SumGroup, keys: readonly number[] | null) =>
    sumUsage({ ownerId, filter: days, group, keys, buckets }, options)
  const { what, channel, product, status, outcome } = filter
  const isNarrowed = [what, channel, product, status, outcome].some((value) => value !== undefined)
  const max = isNarrowed ? MAX_NARROWED_KEYS : buckets.begins.length < MANY_BUCKETS ? MAX_KEYS : MAX_KEYS_OF_ALL
  const readGroups = async () => {
    const ranked = isRanked ? await largestKeys(ownerId, { ...days, max }, options) : null
    return read(GROUP_OF[by], ranked ?? (filter.keyId === undefined ? null : [filter.keyId]))
  }
  const [sums, every] = await Promise.all([readGroups(), isRanked ? (asked.every ?? read('nothing', null)) : null])
  const all = every ?? sums
  const named = await nameGroups(ownerId, asked, sums, options)
  return {
    unit: buckets.unit,
    buckets: buckets.begins,
    timeZone: filter.timeZone,
    total: sumOfUsage(all),
    series: makeUsageSeries(named, { all, length: buckets.begins.length }),
  }
}

/** Sums of a bucket whose group has an id and a name. */
type NamedSum = BucketSum & { id: string; name: string }

/** Sums with what their group is called. Tools, or models, that are not asked for are one group. */
async function nameGroups(
  ownerId: number,
  { by, isTool }: Asked,
  sums: readonly BucketSum[],
  options?: ReadOptions,
): Promise<NamedSum[]> {
  if (by === 'key') {
    const nameOf = await keyNames(ownerId, [...new Set(sums.map(({ group }) => Number(group)))], options)
    const ids = [...new Set(sums.map(({ group }) => group))]
    const names = ids.map((id) => nameOf(Number(id)))
    const isShared = (name: string) => names.indexOf(name) !== names.lastIndexOf(name)
    return sums.map((sum) => {
      const name = nameOf(Number(sum.group))
      return { ...sum, id: sum.group, name: isShared(name) ? `${name} (key ${sum.group})` : name }
    })
  }
  if (by === 'product' || by === 'channel') return sums.map((sum) => ({ ...sum, id: sum.group, name: sum.group }))
  return sums.map((sum) => {
    const [product = '', ...words] = sum.group.split(' ')
    const what = words.join(' ')
    const kind = product === 'tool' || (product === 'agent' && isTool(what)) ? 'tool' : 'model'
    return kind === by
      ? { ...sum, id: what, name: what }
      : { ...sum, id: `all ${kind}s`, name: kind === 'tool' ? 'Tools' : 'Models' }
  })
}

/** The largest groups as series, and what `all` has beyond them as one more. */
export function makeUsageSeries(
  named: readonly NamedSum[],
  { all, length }: { all: readonly BucketSum[]; length: number },
): UsageTotals['series'] {
  const groups = Map.groupBy(named, ({ id }) => id)
  const series = [...groups]
    .map(([id, sums]) => ({ id, name: sums[0]?.name ?? id, values: perBucket(sums, length), ...sumOfUsage(sums) }))
    .sort((a, b) => b.charged - a.charged || b.calls - a.calls)
  const shown = series.slice(0, MAX_SERIES)
  const rest = plus(sumOfUsage(all), sumOfUsage(shown), -1)
  if (rest.calls <= 0) return shown
  const values = perBucket(all, length).map((value, i) =>
    Math.max(0, value - shown.reduce((sum, one) => sum + (one.values[i] ?? 0), 0)),
  )
  return [...shown, { ...rest, id: null, name: 'Other', values }]
}

function perBucket(sums: readonly BucketSum[], length: number): number[] {
  const values = Array.from({ length }, () => 0)
  for (const { bucket, charged } of sums) values[bucket] = (values[bucket] ?? 0) + charged
  return values
}
