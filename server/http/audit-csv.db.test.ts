import { expect, test } from 'vitest'
import { browserHeaders, signUpSomebody } from '../../tests/support/signed-in'
import { recordAudit } from '../accounts/audit'
import type { SessionCookie } from '../accounts/session'
import { mainPool, prisma } from '../db'
import { auditCsvHandler } from './audit-csv'

const ask = (query: string, cookie?: SessionCookie) =>
  auditCsvHandler(
    new Request(`http://localhost:3000/settings/audit/export${query}`, { headers: browserHeaders(cookie) }),
  )
const linesOf = async (answer: Response) => (await answer.text()).trim().split('\n')

test('every event is a line, over all pages, newest first, and of one owner', async () => {
  const [one, two] = [await signUpSomebody(), await signUpSomebody()]
  for (let i = 0; i < 120; i++)
    await recordAudit(prisma(), { ownerId: one.id, action: 'settings_changed', subject: `change ${i}` })
  const answer = await ask('', one.cookie)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [head, ...lines] = await linesOf(answer)
  expect(head).toBe('at,action,what,subject,actor_kind,actor,address,user_agent,detail')
  expect(lines).toHaveLength(121)
  expect(lines[0]).toContain('change 119')
  expect(lines.at(-1)).toContain('account_created')
  expect(await linesOf(await ask('', two.cookie))).toHaveLength(2)
})

test('what a spreadsheet would run as a formula is escaped, wherever it comes from', async () => {
  const { id, cookie } = await signUpSomebody()
  const subject = '=HYPERLINK("http://x","a")'
  const origin = { address: '203.0.113.9', userAgent: '@SUM(1+1)' }
  await recordAudit(prisma(), { ownerId: id, action: 'key_created', subject, origin, detail: { name: '+1' } })
  await recordAudit(prisma(), { ownerId: id, action: 'key_created', subject: 'a "quote", a\nline' })
  const text = await (await ask('?action=key_created', cookie)).text()
  expect(text).toContain(`"'=HYPERLINK(""http://x"",""a"")"`)
  expect(text).toContain(`'@SUM(1+1)`)
  expect(text).toContain('"a ""quote"", a\nline"')
  expect(text).not.toMatch(/(^|,)"?[=@+]/m)
})

test('filters hold; days are those of the owner’s time zone', async () => {
  const { id, cookie, api } = await signUpSomebody()
  await api.account.setTimeZone({ timeZone: 'Pacific/Auckland' })
  // 13:30 UTC is the next day in Auckland, which is 12 or 13 hours ahead.
  await mainPool().query(
    `INSERT INTO audit_event (owner_id, actor_kind, action, subject, at) VALUES
      ($1, 'owner', 'key_created', 'before', '2026-05-09T11:00:00Z'), ($1, 'owner', 'key_created', 'after', '2026-05-09T13:30:00Z')`,
    [id],
  )
  const subjects = async (query: string) =>
    (await linesOf(await ask(query, cookie))).slice(1).map((line) => line.split(',')[3])
  expect(await subjects('?from=2026-05-10&to=2026-05-10')).toEqual(['after'])
  expect(await subjects('?to=2026-05-09')).toEqual(['before'])
  expect(await subjects('?action=key_created&from=&to=')).toEqual(['after', 'before'])
  for (const query of ['?action=nonsense', '?from=yesterday', '?from=0000-01-01', '?more=1'])
    expect((await ask(query, cookie)).status, query).toBe(400)
})

test('nobody reads it without a session', async () => {
  expect((await ask('')).status).toBe(401)
})
