import { inTransaction, prisma, type Transaction } from '../../db'
import { AppError } from '../../errors'
import { type RequestOrigin, recordAudit } from '../audit'
import { insertPerson } from '../create'
import { readInvitation } from '../members/invitations'
import { findOwnerByIdentity } from '../provider-sign-in'
import { signUpWithProvider } from '../sign-up'
import type { IssuerVisitor } from './claims'
import { followIssuer, followIssuerIn, hasDomain } from './follow'

/**
 * What a visitor from the issuer may do: sign in as a person, or nothing, for a reason of
 * SIGN_IN_ERRORS, or link this sign-in to whoever has their address, once they are signed in.
 */
export type IssuerEntry =
  | { kind: 'in'; personId: number }
  | { kind: 'refused'; error: string }
  | { kind: 'linkable'; personId: number }

type Verified = IssuerVisitor & { email: string }

/** Where a request came from, and the token of the invitation that it is to return to. */
type From = { origin?: RequestOrigin; invitation?: string | null }

/** Whether a visitor may be a person without an account: as one of a domain, or as invited. */
async function isLetIn(tx: Transaction, visitor: Verified, invitation: string | null): Promise<boolean> {
  if (await hasDomain(tx, visitor)) return true
  const offer = invitation ? await readInvitation(invitation) : null
  return offer !== null && (offer.email === null || offer.email === visitor.email)
}

/**
 * Makes the person of a visitor: without an account of their own where their domain lets them into
 * one or they return to an invitation, which they then accept, also where sign-up is closed; else
 * by the rules of sign-up.
 */
async function makePerson(
  visitor: Verified,
  { origin, invitation = null }: From,
): Promise<{ id: number; email: string }> {
  const { subject, email, name } = visitor
  const joined = await inTransaction(async (tx) => {
    if (!(await isLetIn(tx, visitor, invitation))) return null
    const login = { provider: 'oidc', subject } as const
    const person = await insertPerson(tx, { email, name, isAdmin: false, login })
    await recordAudit(tx, { ownerId: person.id, action: 'account_created', actor: { kind: 'owner', email }, origin })
    await followIssuerIn(tx, { person, visitor, origin })
    return person
  })
  if (joined) return joined
  const person = await signUpWithProvider({ provider: 'oidc', subject, email, name }, origin)
  await followIssuer({ person, visitor, origin })
  return person
}

async function findKnown({ subject }: IssuerVisitor) {
  return findOwnerByIdentity({ provider: 'oidc', subject })
}

async function enterNew(visitor: Verified, from: From): Promise<IssuerEntry> {
  try {
    return { kind: 'in', personId: (await makePerson(visitor, from)).id }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    // Two callbacks of the same visitor at once: the second finds what the first one made.
    const known = await findKnown(visitor)
    if (known) return { kind: 'in', personId: known.id }
    return { kind: 'refused', error: error.code === 'forbidden' ? 'closed' : 'email_taken' }
  }
}

/**
 * Lets a visitor from the issuer in: by what it calls them, or with a new person for an address
 * that it has verified. An address that somebody has here links nothing: whoever can make the
 * issuer say an address would get their account.
 */
export async function enterByIssuer(visitor: IssuerVisitor, from: From): Promise<IssuerEntry> {
  const known = await findKnown(visitor)
  if (known) {
    await followIssuer({ person: known, visitor, origin: from.origin })
    return { kind: 'in', personId: known.id }
  }
  const { email } = visitor
  if (email === null) return { kind: 'refused', error: 'email_unverified' }
  const person = await prisma().owner.findUnique({ where: { email }, select: { id: true } })
  if (person) return { kind: 'linkable', personId: person.id }
  return enterNew({ ...visitor, email }, from)
}
