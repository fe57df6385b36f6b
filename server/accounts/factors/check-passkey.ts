import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { prisma } from '../../db'
import { log } from '../../kit/log'
import { type ChallengeFor, createChallenge, takeChallenge } from './challenge'
import { requireRelyingParty } from './passkeys'
import type { PasskeyResponse } from './shape'

/** Alone, a passkey must be two factors: the authenticator checks its user, too. */
const needsUserVerified = ({ purpose }: ChallengeFor): boolean => purpose === 'sign-in'

/** What a browser asks an authenticator to sign. Throws `conflict` where there are no passkeys. */
export async function beginPasskeyCheck(asked: ChallengeFor) {
  const { id: rpID } = requireRelyingParty()
  const { ownerId } = asked
  const known = ownerId === null ? [] : await prisma().passkey.findMany({ where: { ownerId } })
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  return generateAuthenticationOptions({
    rpID,
    challenge: await createChallenge(asked),
    allowCredentials: known.map(({ id, transports }) => ({ id, transports })),
    userVerification: needsUserVerified(asked) ? 'required' : 'preferred',
  })
}

type Stored = NonNullable<Awaited<ReturnType<typeof findPasskey>>>

const findPasskey = (id: string, { ownerId }: ChallengeFor) =>
  prisma().passkey.findFirst({ where: { id, ...(ownerId !== null && { ownerId }) } })

async function verify(passkey: Stored, response: PasskeyResponse, asked: ChallengeFor) {
  const party = requireRelyingParty()
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    return await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => takeChallenge(challenge, asked),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { ...passkey, counter: Number(passkey.counter), publicKey: new Uint8Array(passkey.publicKey) },
      requireUserVerification: needsUserVerified(asked),
    })
  } catch (error) {
    log.debug({ err: (error as Error).message }, 'a passkey was not accepted')
    return null
  }
}

/**
 * Whose passkey signed what they were asked; null when it is not one of theirs, the challenge was
 * used or is not this one, or a counter went back, as that of a copy does.
 */
export async function checkPasskey(response: PasskeyResponse, asked: ChallengeFor): Promise<number | null> {
  const passkey = await findPasskey(response.id, asked)
  const checked = passkey && (await verify(passkey, response, asked))
  if (!passkey || !checked?.verified) return null
  const { id, counter, ownerId } = passkey
  // Of two signatures at once, both of which follow the same counter, one is a copy's.
  const { count } = await prisma().passkey.updateMany({
    where: { id, counter },
    data: { counter: checked.authenticationInfo.newCounter, usedAt: new Date() },
  })
  return count === 1 ? ownerId : null
}
