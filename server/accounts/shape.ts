import { z } from 'zod'
import type { Membership } from './members/shape'

/** What a person may do in an account. */
export const ROLES = ['owner', 'admin', 'developer', 'billing', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/**
 * Which roles a procedure lets in, by the least that it asks for; `member`: all. Whoever works with
 * keys and whoever pays are beside each other: neither role is above the other.
 */
const ADMITTED = {
  owner: ['owner'],
  admin: ['owner', 'admin'],
  developer: ['owner', 'admin', 'developer'],
  billing: ['owner', 'admin', 'billing'],
  viewer: ['owner', 'admin', 'developer', 'viewer'],
  member: ROLES,
} as const satisfies Record<string, readonly Role[]>

/** The least role that a procedure asks for. */
export type LeastRole = keyof typeof ADMITTED
export const ROLE_LEVELS = Object.keys(ADMITTED) as LeastRole[]

/** Whether a role may do what asks for at least another. */
export const mayAs = (role: Role, least: LeastRole): boolean => ADMITTED[least].some((admitted) => admitted === role)

/** What each role is for, as pages and the guide say it. */
export const ROLE_NOTES: Record<Role, string> = {
  owner: 'Everything, also other owners, and deleting the account',
  admin: 'Everything but owners, and exporting or deleting the account',
  developer: 'Keys, runs, the playground and usage; no billing',
  billing: 'Balance, statements and sums of usage; no keys, calls or runs',
  viewer: 'Reads keys, runs and usage; changes nothing',
}

/** An address as it is stored and compared: trimmed, lower case. */
export const Email = z.string().trim().toLowerCase().pipe(z.email('Enter an e-mail address').max(254, 'Too long'))

export const Password = z.string().min(10, 'Use at least 10 characters').max(200, 'Use at most 200 characters')

/** What someone types to open an account. */
export const SignUp = z.object({ email: Email, password: Password })
export type SignUp = z.infer<typeof SignUp>

/** What someone types to sign in. It does not reveal the rules of a new password. */
export const SignIn = z.object({ email: Email, password: z.string().min(1, 'Enter your password').max(200) })
export type SignIn = z.infer<typeof SignIn>

export const IdentityProviderId = z.enum(['github', 'google', 'oidc'])
export type IdentityProviderId = z.infer<typeof IdentityProviderId>

/** A way in through somebody else's account, set up here. */
export const IdentityProviderChoice = z.object({ id: IdentityProviderId, name: z.string() })
export type IdentityProviderChoice = z.infer<typeof IdentityProviderChoice>

/** Someone at an identity provider, as they come back from it. */
export type ProviderIdentity = {
  provider: IdentityProviderId
  subject: string
  email: string | null
  name: string | null
}

/** A new password, and the current one where the owner has one. */
export const PasswordChange = z.object({ current: z.string().max(200), password: Password })
export type PasswordChange = z.infer<typeof PasswordChange>

/** A new e-mail address. */
export const EmailChange = z.object({ email: Email })
export type EmailChange = z.infer<typeof EmailChange>

/** What somebody types to delete their account. */
export const AccountDeletion = z.strictObject({ email: Email, password: z.string().max(200) })
export type AccountDeletion = z.infer<typeof AccountDeletion>

/** What an account is called. */
export const OwnerName = z
  .string()
  .trim()
  .max(100)
  .refine((name) => !name.includes('\0'), 'must not contain NUL')

/** Who asks for a link to set a new password. */
export const ResetRequest = z.object({ email: Email })

/** A new password, by the token of a link. */
export const PasswordReset = z.object({ token: z.string().max(200), password: Password })

/** What the audit log records, by what pages call it. */
export const AUDIT_ACTIONS = {
  account_created: 'Account created',
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  second_factor_failed: 'Second factor failed',
  second_factor_added: 'Second factor added',
  second_factor_removed: 'Second factor removed',
  recovery_codes_made: 'Recovery codes made',
  sign_in_linked: 'Sign-in linked',
  sign_in_unlinked: 'Sign-in no longer linked',
  signed_out_everywhere: 'Signed out everywhere',
  session_ended: 'Session ended',
  other_sessions_ended: 'Other sessions ended',
  password_changed: 'Password changed',
  password_reset_requested: 'Password reset requested',
  password_reset: 'Password reset',
  email_change_requested: 'E-mail change requested',
  email_changed: 'E-mail changed',
  key_created: 'Key created',
  key_changed: 'Key changed',
  key_rotated: 'Key rotated',
  key_revoked: 'Key revoked',
  management_key_created: 'Management key created',
  budget_created: 'Budget created',
  budget_changed: 'Budget changed',
  budget_deleted: 'Budget deleted',
  member_invited: 'Member invited',
  invitation_withdrawn: 'Invitation withdrawn',
  member_joined: 'Member joined',
  member_role_changed: 'Role of a member changed',
  member_removed: 'Member removed',
  member_left: 'Member left',
  client_allowed: 'Application allowed',
  customer_changed: 'Customer suspended or served again',
  customer_name_deleted: 'Name of a customer deleted',
  settings_changed: 'Settings changed',
  database_connected: 'Database connected',
  database_disconnected: 'Database disconnected',
  run_limit_raised: 'Limit of a conversation raised',
  run_shared: 'Run shared by a link',
  run_unshared: 'Link of a run withdrawn',
  dataset_renamed: 'Dataset renamed',
  dataset_deleted: 'Dataset deleted',
  file_deleted: 'File deleted',
  site_version_served: 'Version of a site served',
  site_taken_down: 'Site taken down',
  site_preview_ended: 'Preview of a site ended',
  webhook_secret_rotated: 'Webhook secret rotated',
  credits_granted: 'Credits granted',
  data_exported: 'Data exported',
  account_deleted: 'Account deleted',
  account_suspended: 'Account suspended',
  account_resumed: 'Suspension ended',
  limits_changed: 'Limits changed',
  operator_made: 'Made an operator',
  operator_removed: 'No longer an operator',
  request_refunded: 'Request refunded',
  settlement_retried: 'Settlement tried again',
  run_cancelled: 'Run cancelled',
  run_retried: 'Run sent to a worker again',
  settings_requested: 'Settings to be read again',
  settings_read: 'Settings read again',
  settings_refused: 'Settings refused',
} as const
export const AuditAction = z.enum(Object.keys(AUDIT_ACTIONS) as (keyof typeof AUDIT_ACTIONS)[])
export type AuditAction = z.infer<typeof AuditAction>

export const AuditEvent = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  actorKind: z.enum(['owner', 'operator', 'key', 'system']),
  actor: z
    .string()
    .nullable()
    .describe("The actor's e-mail address, or a management key's name; null: a command, or the service itself"),
  action: AuditAction,
  subject: z.string().nullable().describe('What it was done to'),
  detail: z.record(z.string(), z.unknown()).nullable(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
})
export type AuditEvent = z.infer<typeof AuditEvent>

const Day = z.iso
  .date()
  .refine((day) => day >= '1000', 'must be a year of four digits from 1000 on')
  .describe("A day in the owner's time zone")

/** Which events of the audit log are meant. */
export const AuditFilter = z.object({ action: AuditAction.optional(), from: Day.optional(), to: Day.optional() })
export type AuditFilter = z.infer<typeof AuditFilter>

export const AuditPage = AuditFilter.extend({
  limit: z.int().min(1).max(100).default(50),
  cursor: z.string().max(200).optional(),
})
export type AuditPage = z.infer<typeof AuditPage>
export const AuditList = z.object({ rows: z.array(AuditEvent), nextCursor: z.string().nullable() })
export type AuditList = z.infer<typeof AuditList>

/** A browser that is signed in. */
export const SessionView = z.object({
  id: z.uuid(),
  isCurrent: z.boolean().describe('The session that asks'),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime().describe('To some minutes'),
  expiresAt: z.iso.datetime(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
})
export type SessionView = z.infer<typeof SessionView>

/** Who is signed in at the dashboard, in which session. */
export type Session = {
  sessionId: string
  /** The id of the person's row of `owner`. */
  personId: number
  email: string
  name: string | null
  isAdmin: boolean
  /** The account that is looked at, and the person's role in it; null: they belong to none. */
  account: Membership | null
  /** When they last showed who they are: by signing in, by the password, by a second factor. */
  verifiedAt: Date | null
  /** Must add a second factor before anything else: as an operator, or for the account. */
  lacksFactor: boolean
}

/** Why the sign-in page is shown again, by its `error` parameter. */
const SIGN_IN_ERRORS: Record<string, string> = {
  email_taken: 'An account with this e-mail address exists already. Sign in the way you did before.',
  email_missing: 'The provider sent no verified e-mail address, so no account could be created.',
  email_unverified: 'The provider has not verified your e-mail address. Verify it there, then try again.',
  link: 'Your e-mail address has a sign-in here already. Sign in the way you did before, then link the two under Settings, Security.',
  OAuthSignInError: 'The provider could not be reached. Try again in a moment.',
  closed: 'Sign-up is closed. Contact the operator.',
  AccessDenied: 'The provider did not let you in.',
  CredentialsSignin: 'The e-mail address or the password is wrong.',
  MissingCSRF: 'The form was too old. Try again.',
}

/** The sentence for an `error` parameter, also for one not known. */
export const signInErrorText = (code: string): string =>
  (Object.hasOwn(SIGN_IN_ERRORS, code) && SIGN_IN_ERRORS[code]) || 'Signing in did not work. Try again.'

/**
 * When a run asks before it sends out what its goal does not say: after text of strangers and
 * private data, after text of strangers alone, or never.
 */
export const OutsideApproval = z.enum(['ask', 'always', 'never'])
export type OutsideApproval = z.infer<typeof OutsideApproval>

/** Characters that notes may have. */
export const MAX_NOTES = 4_000
export const Notes = z
  .string()
  .trim()
  .max(MAX_NOTES, `has more than ${MAX_NOTES} characters`)
  .regex(/^[^\0]*$/, 'must not contain NUL')

/** What every run of an account is given. */
export const OwnerNotes = z.object({
  notes: z.string().describe('Empty: nothing'),
  isForeign: z.boolean().describe('A run wrote some of it after it had read text by strangers'),
})
export type OwnerNotes = z.infer<typeof OwnerNotes>

/** What an owner chose for agent runs. */
export const OwnerAgentSettings = z.object({
  defaultModel: z.string().nullable().describe("A chat model's id; null: the first that is served"),
  disabledTools: z.array(z.string()).describe('Tools no run may use'),
  outsideApproval: OutsideApproval.describe('When a run asks before it sends something out'),
  autoModel: z.boolean().describe('Runs may take a cheaper model for small goals and for summaries'),
  databaseLabel: z.string().nullable().describe('The connected database: host, port and name'),
})
export type OwnerAgentSettings = z.infer<typeof OwnerAgentSettings>
