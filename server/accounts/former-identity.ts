import { createHmac } from 'node:crypto'
import type { Transaction } from '../db'
import { env } from '../env'
import { lazy } from '../kit/lazy'
import type { ProviderIdentity } from './shape'

/** What an owner is known by, at sign-up: an e-mail address, and an account at a provider. */
export type Identity = { email: string; logins?: readonly Pick<ProviderIdentity, 'provider' | 'subject'>[] }

const key = lazy(() => createHmac('sha256', env().AUTH_SECRET).update('tollgate former identity').digest())

/** Keyed hashes, from which nobody without AUTH_SECRET finds out an address. */
const hashesOf = ({ email, logins = [] }: Identity): Uint8Array<ArrayBuffer>[] =>
  [`email:${email}`, ...logins.map(({ provider, subject }) => `${provider}:${subject}`)].map(
    (text) => new Uint8Array(createHmac('sha256', key()).update(text).digest()),
  )

/** Remembers what an owner gives up, so that signing up with it again brings no credits. */
export async function rememberIdentity(tx: Transaction, identity: Identity): Promise<void> {
  await tx.formerIdentity.createMany({ data: hashesOf(identity).map((hash) => ({ hash })), skipDuplicates: true })
}

/** Whether an owner has had this address or login before. */
export const isFormerIdentity = async (tx: Transaction, identity: Identity): Promise<boolean> =>
  (await tx.formerIdentity.count({ where: { hash: { in: hashesOf(identity) } }, take: 1 })) > 0
