import { type ReserveRequest, reserveCredits } from '../../server/credits/reserve'
import { mainPool } from '../../server/db'
import { uuidv7 } from '../../server/kit/id'
import type { TestOwner } from './owners'

/** A reservation of an owner without a key, with what a test says instead. */
export const holdRequest = (owner: TestOwner, most: number, given: Partial<ReserveRequest> = {}): ReserveRequest => ({
  id: uuidv7(),
  ownerId: owner.id,
  keyId: null,
  most: BigInt(most),
  door: 'rest',
  product: 'tool',
  what: 'test_sample',
  ...given,
})

/** Takes a hold and answers its id. */
export async function takeHold(owner: TestOwner, most: number, given: Partial<ReserveRequest> = {}): Promise<string> {
  const request = holdRequest(owner, most, given)
  await reserveCredits(request)
  return request.id
}

/** A conversation's ceiling of an owner. */
export async function makeSpendLimit(owner: TestOwner, cap: number): Promise<string> {
  const id = uuidv7()
  await mainPool().query('INSERT INTO spend_limit (id, owner_id, cap) VALUES ($1, $2, $3)', [id, owner.id, cap])
  return id
}
