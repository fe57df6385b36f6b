import { z } from 'zod'
import { Email, ROLE_LEVELS, ROLES } from '../shape'

export const MemberRole = z.enum(ROLES)

/** Somebody who belongs to an account. */
export const Member = z.object({
  personId: z.int(),
  email: z.string(),
  name: z.string().nullable(),
  role: MemberRole,
  byGroups: z.boolean().describe('The role follows the groups of an identity provider'),
  hasFactor: z.boolean().describe('Signs in with a second factor'),
  joinedAt: z.iso.datetime(),
})
export type Member = z.infer<typeof Member>

/** An account as whoever belongs to it sees it. */
export const Membership = z.object({
  accountId: z.int(),
  name: z.string(),
  role: MemberRole,
  may: z.array(z.enum(ROLE_LEVELS)).describe('Which least roles it meets'),
})
export type Membership = z.infer<typeof Membership>

export const PersonId = z.object({ personId: z.int32().positive() })
export const RoleChange = PersonId.extend({ role: MemberRole })

/** What is asked of the list of members. */
export const MemberPage = z.object({
  limit: z.int().min(1).max(100).default(50).describe('Members a page'),
  cursor: z.string().max(200).optional().describe('`nextCursor` of the page before'),
})
export type MemberPage = z.infer<typeof MemberPage>
export const MemberRows = z.object({ rows: z.array(Member), nextCursor: z.string().nullable() })

/** Whom an account invites. */
export const NewInvitation = z.strictObject({
  role: MemberRole,
  email: Email.nullable().default(null).describe('Where the link is sent; null: it is passed on by hand'),
})
export type NewInvitation = z.output<typeof NewInvitation>

export const InvitationId = z.object({ id: z.uuid().describe("The invitation's id") })

/** A link that nobody has opened yet. */
export const Invitation = InvitationId.extend({
  role: MemberRole,
  email: z.string().nullable(),
  madeBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type Invitation = z.infer<typeof Invitation>

/** What an invitation is answered with; `url` is shown this once. */
export const MadeInvitation = Invitation.extend({
  url: z.string().nullable().describe('The link, shown this once; null: it was sent by e-mail'),
})
export type MadeInvitation = z.infer<typeof MadeInvitation>

/** What is asked of the list of invitations. */
export const InvitationPage = z.object({
  limit: z.int().min(1).max(100).default(50).describe('Invitations a page'),
  cursor: MemberPage.shape.cursor,
})
export type InvitationPage = z.infer<typeof InvitationPage>
export const InvitationRows = z.object({ rows: z.array(Invitation), nextCursor: z.string().nullable() })

/** How many views of the usage page a person keeps in an account. */
export const MAX_USAGE_VIEWS = 20

export const UsageViewName = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .refine((name) => !/\p{Cc}/u.test(name), 'must not contain control characters'),
})

/** The usage page as a person wants to find it again: the query of its address, by a name. */
export const UsageView = UsageViewName.extend({
  query: z
    .string()
    .max(2_000)
    .regex(/^[!-~]*$/, 'must be the query of an address')
    .describe('The query of the page, without the question mark'),
})
export type UsageView = z.infer<typeof UsageView>
