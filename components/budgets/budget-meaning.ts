import { count } from '../keys/summary'
import { formatInZone } from '../schedules/when'
import { formatCredits, formatUsd } from '../ui/amount'
import { dayIn, endOfDay } from '../ui/end-of-day'
import type { MeaningRow } from '../ui/form-with-aside'
import { scopeWords } from './scope-words'
import { type BudgetToMake, type ScopeChoice, type ShownBudget, WINDOWS } from './shape'

type Window = BudgetToMake['window']
type BudgetPlace = { timeZone: string; creditsPerUsd: number; now?: Date }

/** A day of the calendar, YYYY-MM-DD, some days after another. */
const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The last day of the window that a day is in. */
function lastDay(day: string, window: Exclude<Window, 'lifetime'>): string {
  if (window === 'day') return day
  const date = new Date(`${day}T00:00:00Z`)
  // A week ends on Sunday.
  if (window === 'week') return plusDays(day, (7 - date.getUTCDay()) % 7)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).toISOString().slice(0, 10)
}

/** When the window of a budget begins anew after `now`; null: never. */
export function nextWindow(window: Window, timeZone: string, now: Date): Date | null {
  if (window === 'lifetime') return null
  const end = endOfDay(lastDay(dayIn(now.toISOString(), timeZone), window), timeZone)
  return end && new Date(end.getTime() + 1_000)
}

const DAYS_IN = { week: 7, month: 30 }

function allowsText({ credits, window, scope }: MeantBudget, creditsPerUsd: number): string {
  if (!(credits > 0)) return 'Enter credits'
  const each = scope.customers === 'each' ? ', for each customer' : ''
  const perDay = window === 'week' || window === 'month' ? Math.round(credits / DAYS_IN[window]) : null
  const text = `${count(credits, 'credit')} ${WINDOWS[window]}${each}, ≈ ${formatUsd(credits, creditsPerUsd)}`
  return perDay === null ? text : `${text}\nAbout ${formatCredits(perDay)} a day`
}

/** What a form about a budget has. */
export type MeantBudget = { credits: number; window: Window; scope: ScopeChoice }

/** What a budget will mean, in rows. */
export function budgetMeaning(
  of: MeantBudget,
  { timeZone, creditsPerUsd, now = new Date() }: BudgetPlace,
): MeaningRow[] {
  const words = scopeWords(of.scope as ShownBudget['scope'])
  const next = nextWindow(of.window, timeZone, now)
  return [
    ['Limits', words.length > 0 ? words.join('\n') : 'Every call of the account'],
    ['Allows', allowsText(of, creditsPerUsd)],
    ['Begins anew', next ? `${formatInZone(next.toISOString(), timeZone)}, ${timeZone}` : 'Never'],
    [
      'At the limit',
      'A call that could cost more than is left is refused before it runs. What it may cost is reserved, so calls at once do not overspend.',
    ],
  ]
}
