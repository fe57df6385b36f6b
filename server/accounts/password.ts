import { hash, verify } from '@node-rs/argon2'
import { lazy } from '../kit/lazy'

/**
 * OWASP's minimum for argon2id, the package's default algorithm: 19 MiB, two passes, one lane;
 * about 5 ms.
 */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The stored form of a password: an argon2id string with its own salt and cost. */
export const hashPassword = (password: string): Promise<string> => hash(password, passwordCost)

const nobodys = lazy(() => hashPassword('no one has this password'))

/**
 * True when the password belongs to the stored form. Without one (no such owner, or one who enters
 * through a provider) the same work is done, so that the time does not reveal which addresses have
 * accounts.
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const right = await verify(stored ?? (await nobodys()), password)
  return right && Boolean(stored)
}
