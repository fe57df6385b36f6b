import { z } from 'zod'
import { firstOf } from '../../agent/jobs/waiting'
import type { DayLimit } from '../../credits/shape'
import { keysNearlyUsedUp } from '../../keys/nearly-used-up'

/** One kind of what an owner should look at: the first of it, and where all of it is. */
export const Need = z.object({
  kind: z.enum(['job', 'balance', 'key_budget', 'webhook', 'schedule']),
  items: z.array(z.object({ text: z.string(), href: z.string() })),
  more: z.int().describe('How many there are beyond these'),
  href: z.string().nullable().describe('Where all of them are'),
})
export type Need = z.infer<typeof Need>

const MAX_SHOWN = 5
const THIS_PERIOD = { day: ' today', week: ' this week', month: ' this month' }

/** Days below which a balance is worth a word. */
const FEW_DAYS = 3

/** What an owner should know about the balance, if anything. */
export function balanceNeeds({ available, left }: { available: number; left: number | null }): Need[] {
  const text =
    available === 0
      ? 'No credits are left: calls are refused.'
      : left !== null && left < FEW_DAYS
        ? `At the current rate the balance lasts ${left} days.`
        : null
  return text === null ? [] : [{ kind: 'balance', items: [{ text, href: '/credits' }], more: 0, href: null }]
}

/** What an owner should know about the limit of today, if anything. */
export function dayLimitNeeds(day: DayLimit | null): Need[] {
  if (day === null || day.remaining >= day.credits / 10) return []
  const text =
    day.remaining <= 0
      ? 'The limit of today is reached: calls are refused until the next day (UTC) begins.'
      : `${day.remaining} of ${day.credits} credits are left of the limit of today.`
  return [{ kind: 'balance', items: [{ text, href: '/credits' }], more: 0, href: null }]
}

/** What waits for an owner, is nearly used up, or has stopped; no kind without any. */
export async function readNeeds(ownerId: number, signal: AbortSignal): Promise<Need[]> {
  const page = { ownerId, limit: MAX_SHOWN }
  const [waiting, low, undelivered, paused] = await Promise.all([
    firstOf('waiting', page, { signal }),
    keysNearlyUsedUp(ownerId, MAX_SHOWN, { signal }),
    firstOf('undelivered', page, { signal }),
    firstOf('paused', page, { signal }),
  ])
  const needs: Need[] = [
    {
      kind: 'job',
      items: waiting.rows.map(({ id, name }) => ({ text: `A run waits for your input: ${name}`, href: `/jobs/${id}` })),
      more: waiting.total - waiting.rows.length,
      href: '/jobs?status=awaiting_input',
    },
    {
      kind: 'key_budget',
      items: low.rows.map(({ id, name, remaining, budget, every }) => ({
        text: `${name} has ${remaining} of ${budget} credits left${every ? THIS_PERIOD[every] : ''}.`,
        href: `/keys/${id}`,
      })),
      more: low.total - low.rows.length,
      href: '/keys?state=active&sort=remaining&order=asc',
    },
    {
      kind: 'schedule',
      items: paused.rows.map(({ id, name }) => ({
        text: `A schedule was paused after failures: ${name}`,
        href: `/jobs/schedules/${id}`,
      })),
      more: paused.total - paused.rows.length,
      href: '/jobs/schedules',
    },
    {
      kind: 'webhook',
      items: undelivered.rows.map(({ id, name }) => ({
        text: `A webhook was not delivered: ${name}`,
        href: `/jobs/${id}`,
      })),
      more: undelivered.total - undelivered.rows.length,
      href: '/jobs?webhook=failed',
    },
  ]
  return needs.filter(({ items }) => items.length > 0)
}
