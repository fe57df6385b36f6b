import { prisma } from '../db'
import { AppError, invalidRequest } from '../errors'
import { originOf, recordRefusal } from './audit'
import { verifyPassword } from './password'
import { countSignIn } from './rate-limit'
import { SignIn } from './shape'

/** Who they are is what a wrong password leaves open. */
const SOMEBODY = { kind: 'system', email: null } as const

const wrong = () => new AppError('unauthorized', 'The e-mail address or the password is wrong.')

/**
 * The owner with this e-mail address and password, who may have to give a second factor next.
 * Counts the attempt first; `headers` are the
 * request's. Throws `unauthorized`, the same for an unknown address as for a wrong password,
 * `invalid_request`, `rate_limited`.
 */
export async function checkSignIn(input: unknown, headers: Headers) {
  const parsed = SignIn.safeParse(input)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  const { email, password } = parsed.data
  await countSignIn(headers, email)
  const owner = await prisma().owner.findUnique({ where: { email } })
  const right = await verifyPassword(owner?.passwordHash, password)
  if (owner && !right)
    await recordRefusal({ ownerId: owner.id, action: 'sign_in_failed', actor: SOMEBODY, origin: originOf(headers) })
  if (!owner || !right) throw wrong()
  return owner
}
