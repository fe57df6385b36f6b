import type { Prisma } from '../../prisma/generated/client'
import { canSendMail } from '../accounts/mail'
import { ROLES } from '../accounts/shape'
import { inTransaction, runIn } from '../db'
import { env } from '../env'
import { statement } from '../kit/statement'
import { NOTICE_KINDS, NoticeKind, noticeKindsFor } from './shape'
import { sayNotice } from './texts'

/** Notices that are announced in one transaction. */
const AT_ONCE = 200
/** The hour at which the e-mail of the day is sent, in the account's time zone. */
const DAILY_AT = '8 hours'

const UNANNOUNCED = statement({
  name: 'notices_unannounced',
  sql: `SELECT n.id, n.owner_id AS "ownerId", n.kind, n.data, s.callback_url AS "callbackUrl", s.kinds
    FROM notice n LEFT JOIN notice_settings s ON s.owner_id = n.owner_id
    WHERE n.announced_at IS NULL ORDER BY n.created_at LIMIT ${AT_ONCE} FOR UPDATE OF n SKIP LOCKED`,
  params: [],
  columns: {
    id: 'uuid',
    ownerId: 'int',
    kind: NoticeKind.options,
    data: 'jsonb',
    callbackUrl: 'text?',
    kinds: 'text[]?',
  },
})

/**
 * The e-mails of notices, for the members whose role gets their kind (`$3`): `$2` is what a person
 * gets who has chosen nothing.
 */
const WRITE_MAILS = statement({
  name: 'notices_write_mails',
  sql: `INSERT INTO notice_mail (notice_id, person_id, due_at)
    SELECT n.id, p.id, CASE c.choice WHEN 'now' THEN now()
      ELSE (date_trunc('day', now() AT TIME ZONE o.time_zone - interval '${DAILY_AT}') + interval '1 day ${DAILY_AT}') AT TIME ZONE o.time_zone END
    FROM notice n JOIN owner o ON o.id = n.owner_id AND o.deleted_at IS NULL
    JOIN member b ON b.account_id = n.owner_id AND $3::jsonb->b.role ? n.kind
    JOIN owner p ON p.id = b.person_id AND p.deleted_at IS NULL
    LEFT JOIN notice_reader r ON r.owner_id = n.owner_id AND r.person_id = p.id
    CROSS JOIN LATERAL (SELECT coalesce(r.mail->>n.kind, $2::jsonb->>n.kind) AS choice) c
    WHERE n.id = ANY ($1::uuid[]) AND c.choice IN ('now', 'daily')
    ON CONFLICT DO NOTHING`,
  params: ['uuid[]', 'jsonb', 'jsonb'],
})

const CHOSEN_BY_NOBODY = JSON.stringify(
  Object.fromEntries(NoticeKind.options.map((kind) => [kind, NOTICE_KINDS[kind].mail])),
)

const KINDS_BY_ROLE = JSON.stringify(Object.fromEntries(ROLES.map((role) => [role, noticeKindsFor(role)])))

/** Of a run that was answered before anybody was asked, there is nothing to say. */
const DROP_ANSWERED = statement({
  name: 'notices_drop_answered',
  sql: `DELETE FROM notice n WHERE n.announced_at IS NULL AND n.kind = 'run_waiting' AND NOT EXISTS (
      SELECT FROM job j WHERE j.id = (n.data->>'jobId')::uuid AND j.owner_id = n.owner_id AND j.status = 'awaiting_input')`,
  params: [],
  columns: {},
})

/**
 * Writes the e-mails and webhooks of notices that are new, with the mark that this was done:
 * each is written once. Returns whether there may be more.
 */
export const announceNotices = (): Promise<boolean> =>
  inTransaction(async (tx) => {
    await runIn(tx, DROP_ANSWERED, [])
    const notices = await runIn(tx, UNANNOUNCED, [])
    if (notices.length === 0) return false
    const ids = notices.map(({ id }) => id)
    await tx.notice.updateMany({ where: { id: { in: ids } }, data: { announcedAt: new Date() } })
    if (canSendMail()) await runIn(tx, WRITE_MAILS, [ids, CHOSEN_BY_NOBODY, KINDS_BY_ROLE])
    await tx.taskDelivery.createMany({
      data: notices.flatMap(({ id, ownerId, kind, data, callbackUrl, kinds }) => {
        if (callbackUrl === null || !kinds?.includes(kind)) return []
        const { text, href } = sayNotice({ kind, data })
        const said = { noticeId: id, text, url: `${env().PUBLIC_URL}${href}` }
        const event = { ...said, ...(data as Prisma.JsonObject) }
        return [
          { id, ownerId, url: callbackUrl, host: new URL(callbackUrl).host, event: `notice.${kind}`, data: event },
        ]
      }),
    })
    return notices.length === AT_ONCE
  })
