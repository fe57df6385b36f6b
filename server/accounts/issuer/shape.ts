import { z } from 'zod'
import { MemberRole } from '../members/shape'
import { ROLES } from '../shape'

/** A role that everybody of a domain may get: owners are made one by one. */
const JoinerRole = z.enum(ROLES).exclude(['owner'])

const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'Too long')
  .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/, 'Enter a domain, such as example.com')

export const DomainName = z.strictObject({ domain: Domain })

/** Whom an account lets in: people with an address of a domain, and what they get. */
export const JoinDomain = z.strictObject({ domain: Domain, role: JoinerRole })
export type JoinDomain = z.output<typeof JoinDomain>

const Group = z
  .string()
  .trim()
  .min(1, 'Enter the name of a group')
  .max(200, 'Use at most 200 characters')
  .refine((name) => !name.includes('\0'), 'must not contain NUL')

export const GroupName = z.strictObject({ group: Group })

/** The role that a group of the issuer has in an account. */
export const GroupRole = z.strictObject({ group: Group, role: MemberRole })
export type GroupRole = z.output<typeof GroupRole>

/** What an account has set for people who sign in through the issuer. */
export const IssuerRules = z.object({
  name: z.string().describe('What the issuer is called here'),
  domains: z.array(JoinDomain),
  groups: z.array(GroupRole),
  claimable: z.string().nullable().describe('The domain that whoever is signed in may add'),
  refused: z
    .enum(['no_address', 'public', 'taken'])
    .nullable()
    .describe('Why there is none: no verified address from the issuer, a mail service for everybody, another account'),
})
export type IssuerRules = z.infer<typeof IssuerRules>

/** How somebody signs in through the issuer, and what waits to be linked. */
export const IssuerLink = z.object({
  name: z.string(),
  isLinked: z.boolean(),
  mayUnlink: z.boolean().describe('There is another way to sign in'),
  offered: z.string().nullable().describe('The address with which this browser came from the issuer, to be linked'),
})
export type IssuerLink = z.infer<typeof IssuerLink>
