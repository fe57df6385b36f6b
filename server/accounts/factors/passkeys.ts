import { createHash } from 'node:crypto'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { inAct, prisma } from '../../db'
import { env } from '../../env'
import { AppError, invalidRequest } from '../../errors'
import { log } from '../../kit/log'
import type { Session } from '../shape'
import { addedFactor } from './authenticator-app'
import { createChallenge, takeChallenge } from './challenge'
import { type RelyingParty, relyingParty } from './relying-party'
import type { AddedFactor, PasskeyResponse } from './shape'

/** EdDSA, ES256, RS256: what authenticators have. */
const ALGORITHMS = [-8, -7, -257]
/** Passkeys that one owner may have. */
const MAX_PASSKEYS = 20

/** An opaque name of an owner, the same for all of their passkeys. */
const handleOf = (ownerId: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(`passkeys of owner ${ownerId} at ${env().PUBLIC_URL}`).digest())

/** This site to authenticators. Throws `conflict` where browsers have no passkeys for it. */
export function requireRelyingParty(): RelyingParty {
  const party = relyingParty()
  if (party) return party
  throw new AppError('conflict', 'Passkeys need PUBLIC_URL to be a domain with https. Use an authenticator app here.')
}

/** What a browser makes a passkey with. Throws `conflict`. */
export async function beginPasskey({ personId: ownerId, email }: Pick<Session, 'personId' | 'email'>) {
  const { id: rpID } = requireRelyingParty()
  const known = await prisma().passkey.findMany({ where: { ownerId } })
  if (known.length >= MAX_PASSKEYS)
    throw new AppError('conflict', `There are ${MAX_PASSKEYS} passkeys. Remove one first.`)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return generateRegistrationOptions({
    rpName: 'Tollgate',
    rpID,
    userName: email,
    userID: handleOf(ownerId),
    challenge: await createChallenge({ purpose: 'add', ownerId }),
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

const refused = () => invalidRequest([{ path: ['response'], message: 'This passkey was not accepted. Try again.' }])

async function verifyNew(ownerId: number, response: PasskeyResponse) {
  const party = requireRelyingParty()
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    return await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => takeChallenge(challenge, { purpose: 'add', ownerId }),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: false,
    })
  } catch (error) {
    log.debug({ err: (error as Error).message }, 'a passkey was not accepted')
    throw refused()
  }
}

/**
 * Adds the passkey that a browser made. Throws `invalid_request` for one that was not made here
 * and now, `conflict` for one that is known.
 */
export async function addPasskey(
  ownerId: number,
  { name, response }: { name: string; response: PasskeyResponse },
): Promise<AddedFactor> {
  const { verified, registrationInfo } = await verifyNew(ownerId, response)
  if (!verified) throw refused()
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  return inAct(async (tx) => {
    if ((await tx.passkey.count({ where: { id } })) > 0)
      throw new AppError('conflict', 'This passkey was added already.')
    await tx.passkey.create({ data: { id, ownerId, name, publicKey: new Uint8Array(publicKey), counter, transports } })
    return addedFactor(tx, ownerId)
  })
}
