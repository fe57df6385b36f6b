import { sendMail } from '../accounts/mail'
import { executeStatement, runStatement } from '../db'
import { env } from '../env'
import { log } from '../kit/log'
import { statement } from '../kit/statement'
import { NoticeKind } from './shape'
import { sayNotice } from './texts'

/** Notices that an e-mail lists. */
const LISTED = 20
/** Seconds until an e-mail that was not taken is sent again; after the last it is dropped. */
const RETRY_S = [60, 300, 1_800, 7_200, 43_200]

/**
 * Claims what is due for one person of one account. It is due again later, so that nothing is lost
 * with the process that sends it.
 */
const CLAIM = statement({
  name: 'notice_mails_claim',
  sql: `WITH one AS (SELECT w.person_id, w.owner_id FROM (
        SELECT m.person_id, n.owner_id, min(m.due_at) AS since FROM notice_mail m JOIN notice n ON n.id = m.notice_id
        WHERE m.due_at <= now() GROUP BY 1, 2) w
      JOIN owner p ON p.id = w.person_id ORDER BY w.since LIMIT 1 FOR NO KEY UPDATE OF p SKIP LOCKED),
    due AS (SELECT m.notice_id, m.person_id FROM one JOIN notice n ON n.owner_id = one.owner_id
      JOIN notice_mail m ON m.notice_id = n.id AND m.person_id = one.person_id WHERE m.due_at <= now() FOR UPDATE OF m SKIP LOCKED)
    UPDATE notice_mail m SET attempts = m.attempts + 1,
      due_at = now() + make_interval(secs => ($1::float8[])[least(m.attempts + 1, cardinality($1::float8[]))])
    FROM due JOIN notice n ON n.id = due.notice_id JOIN owner p ON p.id = due.person_id
    WHERE m.notice_id = due.notice_id AND m.person_id = due.person_id
    RETURNING m.notice_id AS id, m.person_id AS "personId", m.attempts, p.email, n.kind, n.data, n.created_at AS "createdAt"`,
  params: ['float8[]'],
  columns: {
    ...{ id: 'uuid', personId: 'int', attempts: 'int', email: 'text' },
    ...{ kind: NoticeKind.options, data: 'jsonb', createdAt: 'timestamptz' },
  },
})
const DELETE = statement({
  name: 'notice_mails_delete',
  sql: 'DELETE FROM notice_mail WHERE notice_id = ANY ($1::uuid[]) AND person_id = $2',
  params: ['uuid[]', 'int'],
})

type Due = { kind: NoticeKind; data: unknown; createdAt: Date }

/** The e-mail of some notices: its subject is what the first says, or how many there are. */
function mailOf(due: readonly Due[]): { subject: string; text: string } {
  const url = env().PUBLIC_URL
  const said = due.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()).map((notice) => sayNotice(notice))
  const lines = said.slice(0, LISTED).map(({ text, href }) => `${text}\n${url}${href}\n`)
  const more = said.length > LISTED ? `and ${said.length - LISTED} more: ${url}/notices\n` : ''
  const subject = said.length === 1 ? (said[0]?.text ?? '') : `${said.length} notices of Tollgate`
  return { subject, text: `${lines.join('\n')}${more && `\n${more}`}\nWhat is sent to you: ${url}/settings/notices\n` }
}

/**
 * Sends the e-mails that are due, one a person with all of them. What the mail server does not take
 * is sent again, in the end dropped: the notice stays on its page.
 */
export async function sendNoticeMails(): Promise<void> {
  for (;;) {
    const due = await runStatement(CLAIM, [RETRY_S], { repeatable: false })
    const [first] = due
    if (!first) return
    const isSent = await sendMail({ to: first.email, ...mailOf(due) })
    const done = isSent ? due : due.filter(({ attempts }) => attempts > RETRY_S.length)
    if (!isSent && done.length > 0)
      log.error({ notices: done.length, person: first.personId }, 'notices were not e-mailed')
    await executeStatement(DELETE, [done.map(({ id }) => id), first.personId])
  }
}
