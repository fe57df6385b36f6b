import type { AuthenticatorAnswer } from './shape'

type Library = typeof import('@simplewebauthn/browser')
type Asked = Parameters<Library['startAuthentication']>[0]['optionsJSON']
type AskedNew = Parameters<Library['startRegistration']>[0]['optionsJSON']

/** What the server reads of an answer. */
const toResponse = ({
  id,
  rawId,
  type,
  response,
}: Awaited<ReturnType<Library['startAuthentication' | 'startRegistration']>>): AuthenticatorAnswer => ({
  id,
  rawId,
  type,
  response: { ...response },
  clientExtensionResults: {},
})

/** Has an authenticator sign what the server asked for. Throws where the person stops it. */
export async function signWithPasskey(asked: unknown): Promise<AuthenticatorAnswer> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  return toResponse(await startAuthentication({ optionsJSON: asked as Asked }))
}

/** Has an authenticator make a passkey. Throws where the person stops it. */
export async function makePasskey(asked: unknown): Promise<AuthenticatorAnswer> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return toResponse(await startRegistration({ optionsJSON: asked as AskedNew }))
}

/** What an authenticator or the browser said no with; null for an error that is not theirs. */
export function passkeyErrorText(error: unknown): string | null {
  const { name } = error as { name?: string }
  if (name === 'InvalidStateError') return 'This device has a passkey for this account already.'
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'No passkey was used: it was cancelled, or took too long.'
  if (name === 'SecurityError') return 'The browser allows no passkeys on this page.'
  return name === 'NotSupportedError' ? 'This browser has no passkeys.' : null
}
