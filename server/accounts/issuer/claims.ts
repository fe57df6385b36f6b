import { z } from 'zod'
import { env } from '../../env'
import { Email } from '../shape'

/** Groups of one person that count. */
const MAX_GROUPS = 1_000

const Texts = z.array(z.string()).catch([])
const Claims = z.looseObject({
  iss: z.string().min(1),
  sub: z.string().min(1).max(255),
  email: z.string().nullish().catch(null),
  // Some issuers send it as text.
  email_verified: z
    .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })])
    .optional()
    .catch(false),
  name: z.string().nullish().catch(null),
  amr: Texts,
  acr: z.string().optional().catch(undefined),
  auth_time: z.number().optional().catch(undefined),
})

/** Someone who comes from the issuer. */
export type IssuerVisitor = {
  /** The issuer, and what it calls them. */
  subject: string
  /** An address that the issuer says is verified; null: it says so of none. */
  email: string | null
  name: string | null
  groups: string[]
  /** The issuer says that it asked for a second factor. */
  hasFactor: boolean
  /** When they last signed in at the issuer; null: it does not say. */
  authenticatedAt: Date | null
}

/**
 * Ways of signing in (RFC 8176) that are a second factor: several factors, a one-time code, a key
 * in hardware, a smart card. A text message (`sms`) is none.
 */
const FACTOR_METHODS = ['mfa', 'otp', 'hwk', 'sc']
/** Classes of a sign-in that need one. */
const FACTOR_CLASSES = [
  'phr',
  'phrh',
  'https://refeds.org/profile/mfa',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
]

/** The payload of an ID token, which was validated before. */
function payloadOf(idToken: string): Record<string, unknown> {
  const [, payload = ''] = idToken.split('.')
  return z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
}

/**
 * Who comes from the issuer, by a validated ID token and what its userinfo endpoint says. The ID
 * token wins: how they signed in is read from it alone. Throws a ZodError.
 */
export function readVisitor(idToken: string, userinfo: Record<string, unknown>): IssuerVisitor {
  const token = payloadOf(idToken)
  const { amr, acr, auth_time, ...said } = { ...userinfo, ...token }
  const claims = Claims.parse({ ...said, amr: token.amr, acr: token.acr, auth_time: token.auth_time })
  const email = Email.safeParse(claims.email_verified === true ? claims.email : '')
  const groups = Texts.parse(claims[env().AUTH_OIDC_GROUPS_CLAIM])
  return {
    subject: `${claims.iss} ${claims.sub}`,
    email: email.success ? email.data : null,
    name: claims.name?.trim().slice(0, 100) || null,
    groups: [...new Set(groups)].slice(0, MAX_GROUPS),
    hasFactor:
      claims.amr.some((method) => FACTOR_METHODS.includes(method)) || FACTOR_CLASSES.includes(claims.acr ?? ''),
    authenticatedAt: claims.auth_time === undefined ? null : new Date(claims.auth_time * 1_000),
  }
}
