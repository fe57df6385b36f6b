import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeDb } from '../../server/db'
import { env } from '../../server/env'
import { log } from '../../server/kit/log'
import { createOwner } from '../../server/operators/access'
import { COMMAND_LINE } from '../../server/operators/operator'
import { callQuery, send, withSandbox } from '../support/api'
import { superuserUrlOf } from '../support/database'
import { makeCaller } from '../support/owners'
import { queryOnce } from '../support/query-once'

withSandbox()

/**
 * Sets a default of this file's database for connections that are made from now on; null takes it
 * away.
 */
async function setDefault(name: string, value: string | null): Promise<void> {
  const url = new URL(superuserUrlOf(env().DATABASE_URL))
  // A read-only session may not, unless it says otherwise.
  url.searchParams.set('options', '-c default_transaction_read_only=off')
  const change = value === null ? `RESET ${name}` : `SET ${name} = '${value}'`
  await queryOnce(url.href, `ALTER DATABASE ${url.pathname.slice(1)} ${change}`)
  await closeDb()
}

const origin = 'http://localhost:3000'

/** Signs in through Auth.js's own path, as a form without our pages does. */
async function signIn(email: string, password: string) {
  const csrf = await send('/api/auth/csrf')
  const cookie = csrf.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const form = new URLSearchParams({ email, password, csrfToken: String(csrf.body.csrfToken) })
  return send('/api/auth/callback/credentials', {
    method: 'POST',
    raw: form.toString(),
    headers: { origin, cookie, 'content-type': 'application/x-www-form-urlencoded' },
  })
}

const level = log.level
beforeEach(() => {
  env()
  log.level = 'silent'
})

describe('a database that is read-only, as after a failover', () => {
  afterEach(async () => {
    await setDefault('default_transaction_read_only', null)
    log.level = level
  })

  it('is not ready, and calls and sign-in get 503 with Retry-After; later they are served', async () => {
    const { key } = await makeCaller()
    const [email, password] = ['ada@example.org', 'correct horse battery']
    await createOwner(COMMAND_LINE, { email, password })
    await setDefault('default_transaction_read_only', 'on')
    for (const answer of [
      await send('/readyz'),
      await callQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] }),
      await signIn(email, password),
    ]) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      expect(answer.body).not.toHaveProperty('service')
    }
    await setDefault('default_transaction_read_only', null)
    expect(await send('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
    expect(await callQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] })).toMatchObject({ status: 200 })
    const entered = await signIn(email, password)
    expect(entered.status).toBe(302)
    expect(entered.headers.getSetCookie().join()).toContain('session-token=')
  })
})

describe('a database whose disk is full', () => {
  afterEach(async () => {
    await setDefault('temp_file_limit', null)
    log.level = level
  })

  it('is not ready', async () => {
    expect(await send('/readyz')).toMatchObject({ status: 200 })
    await setDefault('temp_file_limit', '0')
    expect(await send('/readyz')).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  })
})
