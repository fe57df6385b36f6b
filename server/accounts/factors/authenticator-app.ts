import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { inAct, inTransaction, prisma, type Transaction } from '../../db'
import { AppError, invalidRequest } from '../../errors'
import type { Session } from '../shape'
import { makeRecoveryCodes } from './recovery-codes'
import type { AddedFactor } from './shape'
import { decryptAppSecret, encryptAppSecret } from './stored-secret'

const PERIOD_S = 30
/** Codes of the 30 seconds before and after count, too: clocks differ. */
const WINDOW = 1
const SECRET_BYTES = 20

const totpOf = (secret: Secret, label = ''): TOTP =>
  new TOTP({ issuer: 'Tollgate', label, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_S })

/** The 30 seconds that a code is of; null for a wrong one. */
function stepOf(secret: string, token: string): number | null {
  const timestamp = Date.now()
  const delta = totpOf(Secret.fromBase32(secret)).validate({ token, timestamp, window: WINDOW })
  return delta === null ? null : Math.floor(timestamp / 1_000 / PERIOD_S) + delta
}

/** What an app is set up with: the secret as text, as a link, and as a QR code in SVG. */
export type AppSetup = { secret: string; uri: string; qr: string }

/**
 * Begins to set up an authenticator app: it counts once `confirmApp` has had a code of it. Throws
 * `conflict` where the owner has one, or secrets cannot be stored.
 */
export async function beginApp({ personId: ownerId, email }: Pick<Session, 'personId' | 'email'>): Promise<AppSetup> {
  const secret = new Secret({ size: SECRET_BYTES })
  const fresh = { secret: encryptAppSecret(ownerId, secret.base32), lastStep: 0n }
  await inTransaction(async (tx) => {
    await refuseSecondApp(tx, ownerId)
    await tx.authenticatorApp.upsert({ where: { ownerId }, create: { ownerId, ...fresh }, update: fresh })
  })
  const uri = totpOf(secret, email).toString()
  return { secret: secret.base32, uri, qr: renderSVG(uri, { border: 2 }) }
}

async function refuseSecondApp(tx: Transaction, ownerId: number): Promise<void> {
  if ((await tx.authenticatorApp.count({ where: { ownerId, confirmedAt: { not: null } } })) > 0)
    throw new AppError('conflict', 'There is an authenticator app already. Remove it first.')
}

/**
 * Takes the first code of an app that is being set up. Throws `invalid_request` for a wrong code,
 * `conflict` where none is being set up.
 */
export async function confirmApp(ownerId: number, code: string): Promise<AddedFactor> {
  const app = await prisma().authenticatorApp.findFirst({ where: { ownerId, confirmedAt: null } })
  const secret = app && decryptAppSecret(ownerId, app.secret)
  if (!app || !secret) throw new AppError('conflict', 'No authenticator app is being set up. Begin again.')
  const step = stepOf(secret, code.replace(/\s/g, ''))
  if (step === null) throw wrongCode()
  return inAct(async (tx) => {
    const { count } = await tx.authenticatorApp.updateMany({
      where: { ownerId, confirmedAt: null, secret: app.secret },
      data: { confirmedAt: new Date(), lastStep: step },
    })
    if (count === 0) throw new AppError('conflict', 'The set-up was begun again meanwhile.')
    return addedFactor(tx, ownerId)
  })
}

/** Whether a code is of an owner's app. Each works once, and none that is older than the last. */
export async function checkAppCode(ownerId: number, code: string): Promise<boolean> {
  const app = await prisma().authenticatorApp.findFirst({ where: { ownerId, confirmedAt: { not: null } } })
  const secret = app && decryptAppSecret(ownerId, app.secret)
  const step = secret ? stepOf(secret, code) : null
  if (step === null) return false
  const { count } = await prisma().authenticatorApp.updateMany({
    where: { ownerId, lastStep: { lt: step } },
    data: { lastStep: step },
  })
  return count === 1
}

/** A wrong code, at its field. */
export const wrongCode = (): AppError =>
  invalidRequest([{ path: ['code'], message: 'This code is wrong or was used. Enter the one shown now.' }])

/** What follows from a new second factor: recovery codes, where there are none. */
export async function addedFactor(tx: Transaction, ownerId: number): Promise<AddedFactor> {
  const left = await tx.recoveryCode.count({ where: { ownerId } })
  return { recoveryCodes: left > 0 ? null : await makeRecoveryCodes(tx, ownerId) }
}

/** Encrypts every stored secret with ENCRYPTION_KEY. Returns how many, and whose no key opens. */
export async function reencryptAppSecrets(): Promise<{ encrypted: number; undecryptable: number[] }> {
  const done = { encrypted: 0, undecryptable: [] as number[] }
  for (const { ownerId, secret: stored } of await prisma().authenticatorApp.findMany()) {
    const secret = decryptAppSecret(ownerId, stored)
    if (secret === null) done.undecryptable.push(ownerId)
    else {
      const { count } = await prisma().authenticatorApp.updateMany({
        where: { ownerId, secret: stored },
        data: { secret: encryptAppSecret(ownerId, secret) },
      })
      done.encrypted += count
    }
  }
  return done
}
