import { z } from 'zod'
import { failingReceivers, firstOf } from '../../agent/jobs/waiting'
import type { DayLimit, Pace } from '../../credits/shape'
import { keysNearlyUsedUp } from '../../keys/nearly-used-up'

/** One kind of what an owner should look at: the first of it, and where all of it is. */
export const Need = z.object({
  kind: z.enum(['job', 'balance', 'key_budget', 'webhook', 'schedule']),
  items: z.array(
    z.object({
      text: z.string(),
      href: z.string(),
      receiver: z.string().optional().describe('The host whose failed webhooks can be dismissed'),
    }),
  ),
  more: z.int().describe('How many there are beyond these'),
  href: z.string().nullable().describe('Where all of them are'),
})
export type Need = z.infer<typeof Need>

const MAX_SHOWN = 5
const THIS_PERIOD = { day: ' today', week: ' this week', month: ' this month' }

/** Days below which a balance is worth a word. */
const FEW_DAYS = 3

const grouped = (credits: number) => credits.toLocaleString('en-US').replaceAll(',', '\u202f')

const describeDays = (days: number) =>
  days < 1 ? `${Math.max(1, Math.round(days * 24))} hours` : `${Math.round(days * 10) / 10} days`

/** What an owner should know about the balance, if anything. */
export function balanceNeeds(available: number, { daysLeft, of }: Pace): Need[] {
  const text =
    available === 0
      ? 'No credits are left: calls are refused.'
      : daysLeft !== null && daysLeft < FEW_DAYS
        ? `At the rate of the last ${of} the balance lasts ${describeDays(daysLeft)}.`
        : null
  return text === null ? [] : [{ kind: 'balance', items: [{ text, href: '/credits' }], more: 0, href: null }]
}

/** What an owner should know about the limit of today, if anything. */
export function dayLimitNeeds(day: DayLimit | null): Need[] {
  if (day === null || day.remaining >= day.credits / 10) return []
  const text =
    day.remaining <= 0
      ? 'The limit of today is reached: calls are refused until the next day (UTC) begins.'
      : `${grouped(day.remaining)} of ${grouped(day.credits)} credits are left of the limit of today.`
  return [{ kind: 'balance', items: [{ text, href: '/credits' }], more: 0, href: null }]
}

/** What waits for an owner, is nearly used up, or has stopped; no kind without any. */
export async function readNeeds(ownerId: number, signal: AbortSignal): Promise<Need[]> {
  const page = { ownerId, limit: MAX_SHOWN }
  const [waiting, low, undelivered, paused] = await Promise.all([
    firstOf('waiting', page, { signal }),
    keysNearlyUsedUp(ownerId, MAX_SHOWN, { signal }),
    failingReceivers(page, { signal }),
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
        text:
          remaining === 0
            ? `${name} has used up its ${grouped(budget)} credits${every ? THIS_PERIOD[every] : ''}: its calls are refused.`
            : `${name} has ${grouped(remaining)} of ${grouped(budget)} credits left${every ? THIS_PERIOD[every] : ''}.`,
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
      items: undelivered.rows.map(({ host, count, jobId, title }) => ({
        text:
          count === 1
            ? `A webhook to ${host} failed: ${title}`
            : `${grouped(count)} webhooks to ${host} failed, the last of: ${title}`,
        href: `/jobs/${jobId}`,
        receiver: host,
      })),
      more: undelivered.total - undelivered.rows.length,
      href: '/jobs?webhook=failed',
    },
  ]
  return needs.filter(({ items }) => items.length > 0)
}
