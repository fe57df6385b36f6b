import { randomUUID } from 'node:crypto'
import type { Role } from '../../server/accounts/shape'
import { grantableNames } from '../../server/api/grantable-names'
import { grantCredits } from '../../server/credits/grant'
import { prisma } from '../../server/db'
import { createKey } from '../../server/keys/create'
import type { KeyWithSecret, NewKey } from '../../server/keys/shape'

export type TestOwner = { id: number; email: string }

/** An owner with credits. */
export async function makeOwner(credits = 1_000): Promise<TestOwner> {
  const email = `${randomUUID()}@example.com`
  const { id } = await prisma().owner.create({ data: { email, account: { create: {} } } })
  if (credits > 0) await grantCredits(id, BigInt(credits))
  return { id, email }
}

/** Somebody without an account of their own who belongs to one; returns their id. */
export async function joinSomebody(accountId: number, role: Role = 'developer'): Promise<number> {
  const email = `${randomUUID()}@example.com`
  const { id } = await prisma().owner.create({ data: { email, memberships: { create: { accountId, role } } } })
  return id
}

/** A key of an owner; every tool and 10,000 requests a minute by default. */
export const makeKey = (owner: TestOwner, settings: Partial<NewKey> = {}): Promise<KeyWithSecret> =>
  createKey(owner.id, { name: 'test', rpm: 10_000, ...settings }, grantableNames())

/** The same, made by a member. */
export const makeKeyBy = (owner: TestOwner, personId: number, settings: Partial<NewKey> = {}): Promise<KeyWithSecret> =>
  createKey({ ownerId: owner.id, personId }, { name: 'test', rpm: 10_000, ...settings }, grantableNames())

/** An owner with credits and a key. */
export async function makeCaller(credits = 1_000, settings: Partial<NewKey> = {}) {
  const owner = await makeOwner(credits)
  return { owner, key: await makeKey(owner, settings) }
}
