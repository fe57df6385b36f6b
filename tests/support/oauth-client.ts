import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import { send } from './api'
import { allowOnPage, redirectOf, SETTINGS } from './oauth'

type Metadata = OAuthClientProvider['clientMetadata']

/**
 * What an application with the MCP SDK keeps, and where it has sent its user. `publishedAt`: the
 * URL of its metadata; without one it registers itself.
 */
export function makeOAuthProvider(redirectUrl: string, publishedAt?: string) {
  const kept: { client?: unknown; tokens?: unknown; verifier?: string; discovery?: unknown; sentTo?: URL } = {
    client: publishedAt && { client_id: publishedAt },
  }
  const clientMetadata: Metadata = {
    client_name: 'SDK client',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
  const provider = {
    redirectUrl,
    clientMetadata,
    state: () => 'state of the client',
    clientInformation: () => kept.client as never,
    saveClientInformation: (client: unknown) => {
      kept.client = client
    },
    tokens: () => kept.tokens as never,
    saveTokens: (tokens: unknown) => {
      kept.tokens = tokens
    },
    discoveryState: () => kept.discovery as never,
    saveDiscoveryState: (discovery: unknown) => {
      kept.discovery = discovery
    },
    redirectToAuthorization: (url: URL) => {
      kept.sentTo = url
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
    invalidateCredentials: (what: string) => {
      if (what === 'all' || what === 'tokens') kept.tokens = undefined
      if (what === 'all' || what === 'client') kept.client = undefined
    },
  } satisfies OAuthClientProvider
  return { provider, kept }
}

/**
 * What an owner's browser does with an authorization URL: it follows it to the consent page, where
 * the owner presses Allow. Returns the parameters with which it comes back to the client.
 */
export async function allowInBrowser(
  to: URL | undefined,
  cookie: string,
  settings = SETTINGS,
): Promise<URLSearchParams> {
  if (!to) throw new Error('the client sent nobody to /authorize')
  const { status, headers, text } = await send(to.pathname + to.search)
  const consent = new URL(headers.get('location') ?? '', to)
  if (status !== 302 || consent.pathname !== '/authorize/consent') throw new Error(`${status} ${consent} ${text}`)
  return redirectOf(await allowOnPage(cookie, Object.fromEntries(consent.searchParams), { settings })).searchParams
}
