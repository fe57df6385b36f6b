import { prisma } from '../db'
import { AppError, invalidRequest } from '../errors'
import { checkOwnPassword } from './change-password'
import { wrongCode } from './factors/authenticator-app'
import { beginPasskeyCheck, checkPasskey } from './factors/check-passkey'
import { checkFactorCode } from './factors/second-factors'
import type { PasskeyResponse } from './factors/shape'
import { countProof } from './rate-limit'
import type { Session } from './shape'

/** How long a proof counts, milliseconds. */
const PROOF_MS = 10 * 60_000

/** Throws `forbidden` with `stepUp` unless whoever is signed in has lately shown who they are. */
export function requireRecentProof({ verifiedAt }: Session): void {
  if (verifiedAt && Date.now() - verifiedAt.getTime() < PROOF_MS) return
  throw new AppError('forbidden', 'Confirm that it is you: your password or a second factor is needed for this.', {
    detail: { stepUp: true },
  })
}

async function prove({ sessionId, personId }: Session, check: () => Promise<void>): Promise<void> {
  await countProof(personId)
  await check()
  await prisma().session.updateMany({ where: { id: sessionId, ownerId: personId }, data: { verifiedAt: new Date() } })
}

/** Proves it by the password. Throws `invalid_request`, `rate_limited`. */
export const proveByPassword = (session: Session, password: string): Promise<void> =>
  prove(session, () => checkOwnPassword(session.personId, { password, field: 'password' }))

/** Proves it by a code of an app, or a recovery code. Throws `invalid_request`, `rate_limited`. */
export const proveByCode = (session: Session, code: string): Promise<void> =>
  prove(session, async () => {
    if ((await checkFactorCode(session.personId, code)) === null) throw wrongCode()
  })

/** Asks for a passkey of whoever is signed in. */
export const beginProof = ({ personId: ownerId }: Session) => beginPasskeyCheck({ purpose: 'step-up', ownerId })

/** Proves it by a passkey. Throws `invalid_request`, `rate_limited`. */
export const proveByPasskey = (session: Session, response: PasskeyResponse): Promise<void> =>
  prove(session, async () => {
    const { personId: ownerId } = session
    if ((await checkPasskey(response, { purpose: 'step-up', ownerId })) === null)
      throw invalidRequest([{ path: ['response'], message: 'This passkey was not accepted. Try again.' }])
  })
