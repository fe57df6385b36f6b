import { env } from '../../env'
import { AppError } from '../../errors'
import { decryptText, encryptText } from '../../kit/encryption'

const boundTo = (ownerId: number) => `authenticator app of owner ${ownerId}`

/** Whether secrets can be stored: the operator has set ENCRYPTION_KEY. */
export const canStoreSecrets = (): boolean => env().ENCRYPTION_KEY !== undefined

/**
 * The secret of an owner's authenticator app as it is stored. Throws `conflict` without
 * ENCRYPTION_KEY.
 */
export function encryptAppSecret(ownerId: number, secret: string): Uint8Array<ArrayBuffer> {
  const { ENCRYPTION_KEY } = env()
  if (!ENCRYPTION_KEY)
    throw new AppError('conflict', 'Authenticator apps cannot be used here: the operator has not set ENCRYPTION_KEY.')
  return new Uint8Array(encryptText(secret, ENCRYPTION_KEY, boundTo(ownerId)))
}

/** The secret that was stored for an owner; null when no key opens it. */
export function decryptAppSecret(ownerId: number, stored: Uint8Array): string | null {
  for (const key of [env().ENCRYPTION_KEY, env().PREVIOUS_ENCRYPTION_KEY]) {
    const secret = key === undefined ? null : decryptText(stored, key, boundTo(ownerId))
    if (secret !== null) return secret
  }
  return null
}
