import { z } from 'zod'
import { mayAs, type Role } from '../accounts/shape'

/** How a person gets a kind of notice by e-mail: at once, once a day together, or not. */
export const MailChoice = z.enum(['now', 'daily', 'off'])
export type MailChoice = z.infer<typeof MailChoice>

type KindOfNotice = {
  /** What it says, as a heading of a setting. */
  label: string
  /** Where a person has chosen nothing. */
  mail: MailChoice
  /** Who of an account gets it. */
  least: 'billing' | 'developer'
}

/** Every kind of notice. */
export const NOTICE_KINDS = {
  limit: { label: 'A limit is used to a percentage', mail: 'now', least: 'billing' },
  limit_refused: { label: 'Calls are refused by a limit', mail: 'now', least: 'billing' },
  unusual_spend: { label: 'More is spent than usual', mail: 'now', least: 'billing' },
  run_waiting: { label: 'A run waits for an answer', mail: 'now', least: 'developer' },
  run_failed: { label: 'A run failed', mail: 'daily', least: 'developer' },
  run_completed: { label: 'A run of the dashboard or a schedule completed', mail: 'off', least: 'developer' },
  schedule_paused: { label: 'A schedule was paused', mail: 'now', least: 'developer' },
  webhook_failed: { label: 'Webhooks are not delivered', mail: 'daily', least: 'developer' },
  key_expiring: { label: 'A key expires within a week', mail: 'daily', least: 'developer' },
} as const satisfies Record<string, KindOfNotice>

export const NoticeKind = z.enum(Object.keys(NOTICE_KINDS) as [keyof typeof NOTICE_KINDS])
export type NoticeKind = z.infer<typeof NoticeKind>

/** The kinds that a member of this role gets. */
export const noticeKindsFor = (role: Role): NoticeKind[] =>
  NoticeKind.options.filter((kind) => mayAs(role, NOTICE_KINDS[kind].least))

export const AccountNotice = z.object({
  id: z.string(),
  kind: NoticeKind,
  text: z.string(),
  href: z.string().describe('The page that shows more'),
  createdAt: z.iso.datetime(),
  isUnread: z.boolean(),
})
export type AccountNotice = z.infer<typeof AccountNotice>

export const NoticeList = z.object({ rows: z.array(AccountNotice), nextCursor: z.string().nullable() })
export type NoticeList = z.infer<typeof NoticeList>

/** At most this many percentages of a limit. */
const MAX_PERCENTAGES = 5

/** At which percentages an account gets a notice, and where which kinds are sent. */
export const NoticeSettings = z.strictObject({
  alertAt: z
    .array(z.int().min(1).max(100))
    .max(MAX_PERCENTAGES)
    .describe('Percentages of the balance and of each limit at which there is a notice; a budget may have its own'),
  callbackUrl: z.string().max(2_000).nullable().describe('Where notices are sent as webhooks'),
  // As texts first: a long list of anything else is refused without an issue that lists all kinds.
  kinds: z.array(z.string().max(40)).max(50).pipe(z.array(NoticeKind)).describe('The kinds that are sent there'),
})
export type NoticeSettings = z.infer<typeof NoticeSettings>

/** What a person gets by e-mail, of every kind. */
export const MailChoices = z.record(NoticeKind, MailChoice)
export type MailChoices = z.infer<typeof MailChoices>
