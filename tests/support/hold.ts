import { type ReserveRequest, reserve } from '../../server/credits/reserve'
import { pool } from '../../server/db'
import { uuidv7 } from '../../server/kit/id'
import type { TestOwner } from './make'

/** A reservation of an owner without a key, with what a test says instead. */
export const holdOf = (owner: TestOwner, most: number, given: Partial<ReserveRequest> = {}): ReserveRequest => ({
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
export async function hold(owner: TestOwner, most: number, given: Partial<ReserveRequest> = {}): Promise<string> {
  const request = holdOf(owner, most, given)
  await reserve(request)
  return request.id
}

/** A conversation's ceiling of an owner. */
export async function makeCeiling(owner: TestOwner, cap: number): Promise<string> {
  const id = uuidv7()
  await pool().query('INSERT INTO spend_limit (id, owner_id, cap) VALUES ($1, $2, $3)', [id, owner.id, cap])
  return id
}
