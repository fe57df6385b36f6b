import { parseCallbackUrl, refusePrivateCallback } from '../agent/webhooks/callback-url'
import { inAct, prisma } from '../db'
import { resolveFor } from '../kit/resolve'
import type { Reader } from './list'
import { MailChoice, MailChoices, NOTICE_KINDS, NoticeKind, type NoticeSettings } from './shape'

const ALERT_AT = [50, 80, 100]

/** The kinds that a webhook gets where an account has chosen nothing. */
const SENT = NoticeKind.options.filter((kind) => kind !== 'run_completed')

/** At which percentages an account gets a notice, and where which kinds are sent. */
export async function getNoticeSettings(ownerId: number): Promise<NoticeSettings> {
  const row = await prisma().noticeSettings.findUnique({ where: { ownerId } })
  if (!row) return { alertAt: ALERT_AT, callbackUrl: null, kinds: SENT }
  const { alertAt, callbackUrl, kinds } = row
  return { alertAt, callbackUrl, kinds: NoticeKind.options.filter((kind) => kinds.includes(kind)) }
}

/** Throws `invalid_request` for a URL that no callback may have. */
export async function saveNoticeSettings(ownerId: number, settings: NoticeSettings): Promise<NoticeSettings> {
  const callbackUrl = settings.callbackUrl === null ? null : parseCallbackUrl(settings.callbackUrl)
  if (callbackUrl !== null) await refusePrivateCallback(callbackUrl, resolveFor(String(ownerId)))
  const alertAt = [...new Set(settings.alertAt)].toSorted((a, b) => a - b)
  const data = { alertAt, callbackUrl, kinds: [...new Set(settings.kinds)] }
  await inAct((tx) => tx.noticeSettings.upsert({ where: { ownerId }, create: { ownerId, ...data }, update: data }))
  return getNoticeSettings(ownerId)
}

/** What a person gets by e-mail of an account's notices, of every kind. */
export async function getMailChoices({ ownerId, personId }: Omit<Reader, 'kinds'>): Promise<MailChoices> {
  const row = await prisma().noticeReader.findUnique({ where: { ownerId_personId: { ownerId, personId } } })
  const chosen = (row?.mail ?? {}) as Record<string, unknown>
  return MailChoices.parse(
    Object.fromEntries(
      NoticeKind.options.map((kind) => [kind, MailChoice.safeParse(chosen[kind]).data ?? NOTICE_KINDS[kind].mail]),
    ),
  )
}

/** Changes what a person gets by e-mail; kinds that are left out stay as they are. */
export async function saveMailChoices(
  { ownerId, personId }: Omit<Reader, 'kinds'>,
  changes: Partial<MailChoices>,
): Promise<MailChoices> {
  await inAct(async (tx) => {
    const where = { ownerId_personId: { ownerId, personId } }
    const row = await tx.noticeReader.findUnique({ where })
    const mail = { ...((row?.mail ?? {}) as Record<string, string>), ...changes }
    await tx.noticeReader.upsert({ where, create: { ownerId, personId, mail }, update: { mail } })
  })
  return getMailChoices({ ownerId, personId })
}
