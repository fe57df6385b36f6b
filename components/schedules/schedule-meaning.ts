import { creditsText, priceText } from '../price/price-text'
import type { PriceInfo } from '../price/shape'
import { formatCredits, formatUsd } from '../ui/amount'
import type { MeaningRow } from '../ui/form-with-aside'
import { cronInWords, cronOf, type Preset, type PresetKind } from './preset'
import { formatInZone } from './when'

/** Times that are said of those to come. */
const SAID_TIMES = 3

const RUNS_A_MONTH: Record<Exclude<PresetKind, 'custom'>, number> = {
  hourly: 730,
  daily: 30,
  weekdays: 22,
  weekly: 4,
  monthly: 1,
}

const MONTH_MS = 30 * 86_400_000

/** About how many runs a month has; null where the next times do not say. */
export function runsAMonth({ kind }: Pick<Preset, 'kind'>, nextRuns: readonly string[]): number | null {
  if (kind !== 'custom') return RUNS_A_MONTH[kind]
  const [first, last] = [nextRuns[0], nextRuns.at(-1)]
  if (!first || !last || nextRuns.length < 2) return null
  const apart = (Date.parse(last) - Date.parse(first)) / (nextRuns.length - 1)
  return Math.max(1, Math.round(MONTH_MS / apart))
}

function monthText(runs: number | null, price: PriceInfo | undefined): string {
  if (runs === null) return 'Once the times are known'
  const said = `About ${formatCredits(runs)} ${runs === 1 ? 'run' : 'runs'}`
  if (!price || price.most === null) return said
  return `${said}: up to ${creditsText(price.most * runs)}, ≈ ${formatUsd(price.most * runs, price.creditsPerUsd)}`
}

/** A price under the spend limit that a schedule gives each of its runs. */
function limited(price: PriceInfo | undefined, limit: number | null): PriceInfo | undefined {
  if (!price || limit === null || limit >= (price.most ?? Number.POSITIVE_INFINITY)) return price
  return { ...price, most: limit }
}

type MeantSchedule = {
  preset: Preset
  timeZone: string
  /** Those that are known of the present timing. */
  nextRuns: readonly string[] | null
  price: PriceInfo | undefined
  /** The most credits of one run; null: what its key allows. */
  runLimit: number | null
}

/** What a schedule will mean, in rows. */
export function scheduleMeaning({ preset, timeZone, nextRuns, price: ofKey, runLimit }: MeantSchedule): MeaningRow[] {
  const price = limited(ofKey, runLimit)
  const cron = cronOf(preset)
  const times = nextRuns?.slice(0, SAID_TIMES).map((at) => formatInZone(at, timeZone))
  const cost = price && priceText(price)
  return [
    ['Runs', cron === '' ? 'Enter a time' : `${cronInWords(cron)}, ${timeZone}`],
    ['Next times', times && times.length > 0 ? times.join('\n') : 'Once the times are known'],
    ['One run', cost ? `${cost.charAt(0).toUpperCase()}${cost.slice(1)}` : 'Its price is not known yet'],
    ['A month', monthText(runsAMonth(preset, nextRuns ?? []), price)],
    ['If runs fail', 'After three in a row the schedule is paused'],
  ]
}
