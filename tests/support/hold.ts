import type { ReserveRequest } from '../../server/credits/hold-request'
import { reserveCredits } from '../../server/credits/reserve'
import { mainPool } from '../../server/db'
import { uuidv7 } from '../../server/kit/id'
import type { TestOwner } from './owners'

/** A reservation of an owner without a key, with what a test says instead. */
export const holdRequest = (
  owner: TestOwner,
  maxCredits: number,
  given: Partial<ReserveRequest> = {},
): ReserveRequest => ({
  id: uuidv7(),
  ownerId: owner.id,
  keyId: null,
  maxCredits: BigInt(maxCredits),
  channel: 'rest',
  product: 'tool',
  what: 'test_sample',
  ...given,
})

/** Takes a hold and returns its id. */
export async function takeHold(
  owner: TestOwner,
  maxCredits: number,
  given: Partial<ReserveRequest> = {},
): Promise<string> {
  const request = holdRequest(owner, maxCredits, given)
  await reserveCredits(request)
  return request.id
}

/** Makes a spend limit of an owner and returns its id. */
export async function makeSpendLimit(owner: TestOwner, cap: number): Promise<string> {
  const id = uuidv7()
  await mainPool().query('INSERT INTO spend_limit (id, owner_id, cap) VALUES ($1, $2, $3)', [id, owner.id, cap])
  return id
}
