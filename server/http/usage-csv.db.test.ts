import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleById } from '../../tests/support/settle'
import { makeSessionCookie } from '../accounts/session'
import { grantCredits } from '../credits/grant'
import { reserveCredits } from '../credits/reserve'
import { closeDb, prisma } from '../db'
import { createKey } from '../keys/create'
import { uuidv7 } from '../kit/id'
import { createOwner } from '../operators/access'
import { COMMAND_LINE } from '../operators/operator'
import { usageCsvHandler } from './usage-csv'

const CALLS = 180
let cookie = ''
let strangers = ''
let secret = ''

async function session(id: number): Promise<string> {
  const made = await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id } }))
  return `${made.name}=${made.value}`
}

beforeAll(async () => {
  const known = { tools: [], models: [], capabilities: [] }
  const owner = await createOwner(COMMAND_LINE, { email: `${uuidv7()}@example.org`, password: 'correct horse battery' })
  const stranger = await createOwner(COMMAND_LINE, {
    email: `${uuidv7()}@example.org`,
    password: 'correct horse battery',
  })
  const key = await createKey(owner.id, { name: '=HYPERLINK("http://x")' }, known)
  await grantCredits(owner.id, 10_000n)
  const ids = Array.from({ length: CALLS }, () => uuidv7())
  const call = { ownerId: owner.id, keyId: key.id, maxCredits: 2n, channel: 'rest', product: 'tool' } as const
  await Promise.all(ids.map((id, i) => reserveCredits({ ...call, id, what: i === 0 ? '@SUM(1)' : 'web_search' })))
  await Promise.all(
    ids.map((id) => settleById({ id, actual: 1n, status: 'ok', detail: { error: 'a "quote", a\nline' } })),
  )
  secret = key.key
  cookie = await session(owner.id)
  strangers = await session(stranger.id)
})
afterAll(closeDb)

const ask = (query = '', headers: Record<string, string> = { cookie }) =>
  usageCsvHandler(new Request(`http://localhost:3000/usage/export${query}`, { headers }))

test('every call is a line, over all pages, with its charge', async () => {
  const answer = await ask()
  const text = await answer.text()
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(text.match(/,ok,2,1,1,/g)).toHaveLength(CALLS)
  expect(text.startsWith('request_id,started_at,ended_at,')).toBe(true)
})

test('what a spreadsheet would run as a formula is quoted, and quotes and lines stay in their field', async () => {
  const text = await (await ask('?what=%40SUM(1)')).text()
  expect(text).toContain(`"'=HYPERLINK(""http://x"")"`)
  expect(text).toContain(`'@SUM(1)`)
  expect(text).not.toMatch(/(^|,)"?[=@]/m)
  expect(text).toContain('"a ""quote"", a\nline"')
})

test('filters hold, and one that makes no sense is 400', async () => {
  expect((await (await ask('?status=failed')).text()).trim().split('\n')).toHaveLength(1)
  for (const bad of ['?status=great', '?keyId=x', '?from=yesterday', '?color=red']) {
    expect((await ask(bad)).status).toBe(400)
  }
})

test('another owner sees none of it', async () => {
  expect((await (await ask('', { cookie: strangers })).text()).trim().split('\n')).toHaveLength(1)
})

test('401 without a session, and a key is not one', async () => {
  expect((await ask('', {})).status).toBe(401)
  expect((await ask('', { authorization: `Bearer ${secret}` })).status).toBe(401)
})
