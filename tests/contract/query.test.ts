import { describe, expect, it } from 'vitest'
import { callQuery, chargedTo, send, withSandbox } from '../support/api'
import { makeCaller } from '../support/make'

const sandbox = withSandbox()
const prices = { coinIds: ['bitcoin'] }

describe('200', () => {
  it('answers the tool’s own JSON with the billing block, charges the ledger and leaves a receipt', async () => {
    const { owner, key } = await makeCaller()
    const answer = await callQuery(key.key, 'crypto_get_prices', prices)
    expect(answer).toMatchObject({ status: 200, body: { service: { credits_charged: 3 } } })
    expect(answer.body.rows).toHaveLength(1)
    expect(await chargedTo(owner)).toBe(3)
    const receipt = await send(`/api/v1/usage/${answer.headers.get('x-request-id')}`, { key: key.key })
    expect(receipt.body).toMatchObject({ what: 'crypto_get_prices', status: 'ok', credits: { held: 3, charged: 3, released: 0 } })
  })
})
