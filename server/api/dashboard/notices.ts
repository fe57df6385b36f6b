import { z } from 'zod'
import { canSendMail } from '../../accounts/mail'
import { mayAs, type Role } from '../../accounts/shape'
import { sendTestWebhook } from '../../agent/webhooks/send-test'
import { TestedWebhook } from '../../agent/webhooks/shape'
import { countUnreadNotices, listNotices, markNoticesRead, type Reader } from '../../notices/list'
import { getMailChoices, getNoticeSettings, saveMailChoices, saveNoticeSettings } from '../../notices/settings'
import { MailChoices, NOTICE_KINDS, NoticeKind, NoticeList, NoticeSettings, noticeKindsFor } from '../../notices/shape'
import { audited, NOT_AUDITED } from '../operation-meta'
import { memberProcedure, router } from '../trpc'

const Page = z.strictObject({ limit: z.int().min(1).max(100).default(20), cursor: z.string().max(500).optional() })

const Choices = z.object({
  settings: NoticeSettings,
  mail: MailChoices,
  canSendMail: z.boolean().describe('The operator has set a mail server'),
  kinds: z.array(z.object({ id: NoticeKind, label: z.string() })).describe('Those that the reader gets'),
  isAdmin: z.boolean().describe('The reader may change what the account is sent'),
})

const readerOf = ({ owner, person, role }: { owner: number; person: number; role: Role }): Reader => ({
  ownerId: owner,
  personId: person,
  kinds: noticeKindsFor(role),
})

export const noticesRouter = router({
  countUnread: memberProcedure('member')
    .output(z.int())
    .query(({ ctx }) => countUnreadNotices(readerOf(ctx))),

  list: memberProcedure('member')
    .input(Page)
    .output(NoticeList)
    .query(({ ctx, input }) => listNotices(readerOf(ctx), input)),

  /** Nothing but a mark of whoever reads. */
  markRead: memberProcedure('member')
    .meta(NOT_AUDITED)
    .input(z.strictObject({ until: z.iso.datetime() }))
    .mutation(({ ctx, input }) => markNoticesRead(readerOf(ctx), new Date(input.until))),

  settings: memberProcedure('member')
    .output(Choices)
    .query(async ({ ctx }) => ({
      settings: await getNoticeSettings(ctx.owner),
      mail: await getMailChoices(readerOf(ctx)),
      canSendMail: canSendMail(),
      kinds: noticeKindsFor(ctx.role).map((id) => ({ id, label: NOTICE_KINDS[id].label })),
      isAdmin: mayAs(ctx.role, 'admin'),
    })),

  saveSettings: memberProcedure('admin')
    .meta(audited<z.input<typeof NoticeSettings>, unknown>('settings_changed', { detail: (changes) => changes }))
    .input(NoticeSettings)
    .output(NoticeSettings)
    .mutation(({ ctx, input }) => saveNoticeSettings(ctx.owner, input)),

  saveMail: memberProcedure('member')
    .meta(audited<object, unknown>('settings_changed', { detail: (mail) => ({ mail }) }))
    .input(z.partialRecord(NoticeKind, MailChoices.valueType))
    .output(MailChoices)
    .mutation(({ ctx, input }) => saveMailChoices(readerOf(ctx), input)),

  /** Sends a test event to a URL, signed as notices are. */
  testWebhook: memberProcedure('admin')
    .meta(NOT_AUDITED)
    .input(z.strictObject({ url: z.string().max(2_000) }))
    .output(TestedWebhook)
    .mutation(({ ctx, input }) => sendTestWebhook(ctx.owner, input.url)),
})
