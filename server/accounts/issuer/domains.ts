import publicMail from 'email-providers/all.json' with { type: 'json' }
import { inAct, prisma, type Transaction } from '../../db'
import { AppError, invalidRequest } from '../../errors'
import { lazy } from '../../kit/lazy'
import { issuerChoice } from './provider'
import type { IssuerRules, JoinDomain } from './shape'

/** Domains of one account. */
const MAX_DOMAINS = 20

// Mail for everybody that the package does not know.
const FURTHER = ['fastmail.com', 'posteo.de', 'tutanota.com', 'tutanota.de', 'tuta.com', 'tuta.io', 'keemail.me']
const publicDomains = lazy(() => new Set([...publicMail, ...FURTHER]))

/** Whether anybody can have an address of a domain. */
export const isPublicDomain = (domain: string): boolean => publicDomains().has(domain)

/** The part of an address after the @. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** Throws `conflict` where no issuer is set up. */
export function requireIssuer(): void {
  if (!issuerChoice()) throw new AppError('conflict', 'No OpenID Connect issuer is set up here.')
}

/** The domain of the address that the issuer last verified for a person; null: of none. */
async function verifiedDomain(tx: Transaction, personId: number): Promise<string | null> {
  const login = await tx.login.findFirst({ where: { ownerId: personId, provider: 'oidc', email: { not: null } } })
  return login?.email ? domainOf(login.email) : null
}

/** Which domain a person may add to an account, or why none; neither: it was added. */
export async function claimableDomain(
  accountId: number,
  personId: number,
): Promise<Pick<IssuerRules, 'claimable' | 'refused'>> {
  const domain = await verifiedDomain(prisma(), personId)
  if (domain === null) return { claimable: null, refused: 'no_address' }
  if (isPublicDomain(domain)) return { claimable: null, refused: 'public' }
  const known = await prisma().joinDomain.findUnique({ where: { domain } })
  if (!known) return { claimable: domain, refused: null }
  return { claimable: null, refused: known.accountId === accountId ? null : 'taken' }
}

const taken = (domain: string) =>
  new AppError('conflict', `Another account has ${domain} already. A domain belongs to one account.`)
const wrong = (message: string) => invalidRequest([{ path: ['domain'], message }])

async function requireOwnDomain(tx: Transaction, personId: number, domain: string): Promise<void> {
  if (isPublicDomain(domain))
    throw wrong(`Anybody can have an address of ${domain}. Add a domain that is your organisation’s own.`)
  if ((await verifiedDomain(tx, personId)) !== domain)
    throw wrong(
      `Sign in with ${issuerChoice()?.name} and an address of ${domain} first: it shows that you belong there.`,
    )
}

/**
 * Lets everybody of a domain into an account who signs in through the issuer, or changes what they
 * get. Whoever adds one has an address of it that the issuer verified. Throws `invalid_request`,
 * and `conflict` for a domain of another account, too many, or no issuer.
 */
export async function saveDomain(
  { accountId, personId }: { accountId: number; personId: number },
  { domain, role }: JoinDomain,
): Promise<void> {
  requireIssuer()
  await inAct(async (tx) => {
    const where = { domain, accountId }
    if ((await tx.joinDomain.updateMany({ where, data: { role } })).count > 0) return
    await requireOwnDomain(tx, personId, domain)
    if ((await tx.joinDomain.count({ where: { accountId } })) >= MAX_DOMAINS)
      throw new AppError('conflict', `There are ${MAX_DOMAINS} domains. Remove one first.`)
    // Of two accounts that add it at once, one gets it.
    const { count } = await tx.joinDomain.createMany({ data: { ...where, role }, skipDuplicates: true })
    if (count === 0) throw taken(domain)
  })
}

/** Lets nobody else in by a domain: who joined stays. Throws `not_found`. */
export async function removeDomain(accountId: number, domain: string): Promise<void> {
  await inAct(async (tx) => {
    const { count } = await tx.joinDomain.deleteMany({ where: { domain, accountId } })
    if (count === 0) throw new AppError('not_found', 'There is no such domain.')
  })
}
