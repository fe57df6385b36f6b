import { oauthRefusal } from './refusal'
import type { OAuthFields } from './shape'

/** Throws `invalid_request` when a parameter other than `resource` is repeated (RFC 6749, 3.1). */
export function checkRepeats(fields: OAuthFields): void {
  const repeated = Object.keys(fields).find((name) => Array.isArray(fields[name]) && name !== 'resource')
  if (repeated) throw oauthRefusal('invalid_request', `The parameter ${repeated} must be given once.`)
}

/** A parameter's value; undefined where it is missing or empty. */
export function fieldOf(fields: OAuthFields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A parameter's value. Throws `invalid_request` where it is missing. */
export function requireField(fields: OAuthFields, name: string): string {
  const value = fieldOf(fields, name)
  if (value === undefined) throw oauthRefusal('invalid_request', `The parameter ${name} is missing.`)
  return value
}
