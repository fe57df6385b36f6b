import { afterEach, expect, test } from 'vitest'
import { callQuery, withSandbox } from '../../../tests/support/api'
import { makeCaller } from '../../../tests/support/owners'
import { mainPool } from '../../db'
import { env } from '../../env'
import { revokeKey } from '../../keys/revoke'
import { ownerLimitsCommand } from './owner-limits'

withSandbox()

const { OWNER_RPM, OWNER_CONCURRENCY } = env()
afterEach(() => {
  Object.assign(env(), { OWNER_RPM, OWNER_CONCURRENCY })
})

const CALLS = 3
const PRICE = 3

test('owner limits says what of its limits an owner uses, and its keys of theirs', async () => {
  Object.assign(env(), { OWNER_RPM: 700, OWNER_CONCURRENCY: 20 })
  const { owner, key } = await makeCaller(1_000, {
    rpm: 50,
    budget: 500,
    recurringBudget: { credits: 90, every: 'day' },
  })
  for (let call = 0; call < CALLS; call++)
    expect((await callQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] })).status).toBe(200)
  const { data, text } = await ownerLimitsCommand.run({ email: owner.email })
  expect(data).toMatchObject({
    email: owner.email,
    requestsPerMinute: { most: 700, used: CALLS, isDefault: true },
    callsInProgress: { most: 20, used: 0, isDefault: true },
    credits: { available: 1_000 - CALLS * PRICE, held: 0 },
    keys: [{ id: key.id, spent: CALLS * PRICE, requestsPerMinute: { most: 50, used: CALLS } }],
  })
  expect(text.split('\n')[1]).toContain(`${CALLS} of 700 requests in this minute`)
  expect(text).toContain('9 spent and 0 held of 500; 9 spent and 0 held of 90 a day')
})

test('owner limits leaves out a minute that is over, and revoked keys', async () => {
  const { owner, key } = await makeCaller(0)
  expect((await callQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] })).status).toBe(402)
  await mainPool().query(`UPDATE rate_window SET started_at = now() - interval '61 seconds'`)
  expect((await ownerLimitsCommand.run({ email: owner.email })).data).toMatchObject({
    requestsPerMinute: { used: 0 },
    keys: [{ requestsPerMinute: { used: 0 } }],
  })
  await revokeKey(owner.id, key.id)
  expect((await ownerLimitsCommand.run({ email: owner.email })).data).toMatchObject({ keys: [] })
})
