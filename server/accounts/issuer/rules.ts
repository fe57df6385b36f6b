import { prisma } from '../../db'
import { claimableDomain } from './domains'
import { issuerChoice } from './provider'
import { IssuerRules } from './shape'

/** What an account has set for people from the issuer; null where none is set up. */
export async function readIssuerRules(accountId: number, personId: number): Promise<IssuerRules | null> {
  const issuer = issuerChoice()
  if (!issuer) return null
  const where = { accountId }
  const [domains, groups, claim] = await Promise.all([
    prisma().joinDomain.findMany({ where, select: { domain: true, role: true }, orderBy: { domain: 'asc' } }),
    prisma().groupRole.findMany({ where, select: { group: true, role: true }, orderBy: { group: 'asc' } }),
    claimableDomain(accountId, personId),
  ])
  return IssuerRules.parse({ name: issuer.name, domains, groups, ...claim })
}
