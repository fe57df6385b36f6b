import { z } from 'zod'
import type { NoticeKind } from './shape'

const WORDS = new Intl.NumberFormat('en')
const credits = (count: number) => `${WORDS.format(count)} ${count === 1 ? 'credit' : 'credits'}`

const Limit = z.object({
  id: z.string(),
  source: z.enum(['balance', 'account_day', 'key_budget', 'key_period', 'budget']),
  name: z.string(),
  window: z.enum(['lifetime', 'day', 'week', 'month']),
  cap: z.number(),
  spent: z.number(),
  resetsAt: z.string().nullable(),
})
type Limit = z.infer<typeof Limit>

const THIS = { lifetime: '', day: ' today', week: ' this week', month: ' this month' }

/** What a limit is of, as the subject of a sentence. */
function nameOf({ source, name }: Limit): string {
  if (source === 'balance') return 'The balance'
  if (source === 'account_day') return 'The limit of the day'
  return source === 'budget' ? `The budget ${name}` : `The key ${name}`
}

function pageOf({ source, id }: Limit): string {
  if (source === 'balance' || source === 'account_day') return '/credits'
  return source === 'budget' ? '/budgets' : `/keys/${id.split(':')[1]}`
}

const usedOf = ({ source, cap, spent, window }: Limit): string =>
  source === 'balance'
    ? `${credits(cap - spent)} of ${WORDS.format(cap)} are left`
    : `${WORDS.format(spent)} of ${credits(cap)} are spent${THIS[window]}`

const Run = z.object({ jobId: z.string(), name: z.string() })
type Run = z.infer<typeof Run>

/** What a notice of each kind is about, as it is stored; its webhook has the same. */
export const NOTICE_DATA = {
  limit: z.object({ percent: z.number(), limit: Limit }),
  limit_refused: z.object({ message: z.string().default(''), limit: Limit }),
  unusual_spend: z.object({
    product: z.enum(['tool', 'chat', 'agent']),
    hour: z.string(),
    spent: z.number(),
    usual: z.number(),
  }),
  run_waiting: Run,
  run_failed: Run,
  run_completed: Run,
  schedule_paused: z.object({ scheduleId: z.string(), name: z.string(), reason: z.string().nullable() }),
  webhook_failed: z.object({ host: z.string(), jobId: z.string().nullable() }),
  key_expiring: z.object({ keyId: z.number(), name: z.string(), at: z.coerce.date() }),
} satisfies Record<NoticeKind, z.ZodObject>

const ofRun = (says: string) =>
  noticeOf(Run, { text: ({ name }: Run) => `${says}: ${name}`, href: ({ jobId }: Run) => `/jobs/${jobId}` })

type Words<D> = { text: (data: D) => string; href: (data: D) => string }
type Said = { text: string; href: string }

/** The words for a kind's data, which is as it was stored. */
const noticeOf = <D>(shape: z.ZodType<D>, words: Words<D>) => {
  return (stored: unknown): Said => {
    const data = shape.parse(stored)
    return { text: words.text(data), href: words.href(data) }
  }
}

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

const PRODUCTS = { tool: 'Tool calls', chat: 'Chat models', agent: 'Agent runs' }

const SAID: Record<NoticeKind, (data: unknown) => Said> = {
  limit: noticeOf(NOTICE_DATA.limit, {
    text: ({ percent, limit }) =>
      limit.source === 'balance'
        ? `${percent} % of the balance is used: ${usedOf(limit)}.`
        : `${nameOf(limit)} has used ${percent} %: ${usedOf(limit)}.`,
    href: ({ limit }) => pageOf(limit),
  }),
  limit_refused: noticeOf(NOTICE_DATA.limit_refused, {
    text: ({ message, limit }) => `${nameOf(limit)} refused a call. ${message}`,
    href: ({ limit }) => pageOf(limit),
  }),
  unusual_spend: noticeOf(NOTICE_DATA.unusual_spend, {
    text: ({ product, spent, usual }) =>
      `${PRODUCTS[product]} took ${credits(spent)} within an hour; ${WORDS.format(usual)} are usual.`,
    href: () => '/usage',
  }),
  run_waiting: ofRun('A run waits for you'),
  run_failed: ofRun('A run failed'),
  run_completed: ofRun('A run completed'),
  schedule_paused: noticeOf(NOTICE_DATA.schedule_paused, {
    text: ({ name, reason }) => `A schedule was paused: ${name}.${reason ? ` ${reason}` : ''}`,
    href: ({ scheduleId }) => `/jobs/schedules/${scheduleId}`,
  }),
  webhook_failed: noticeOf(NOTICE_DATA.webhook_failed, {
    text: ({ host }) => `Webhooks to ${host} are not delivered.`,
    href: ({ jobId }) => (jobId === null ? '/settings/notices' : `/jobs/${jobId}`),
  }),
  key_expiring: noticeOf(NOTICE_DATA.key_expiring, {
    text: ({ name, at }) => `The key ${name} expires on ${DAY.format(at)}.`,
    href: ({ keyId }) => `/keys/${keyId}`,
  }),
}

/** What a notice says in a sentence, and the page that shows more. */
export const sayNotice = ({ kind, data }: { kind: NoticeKind; data: unknown }): Said => SAID[kind](data)
