import { z } from 'zod'

/** The ways to refuse that OAuth names: RFC 6749, 7591, 8707. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

/** The fields of a query string or a form; several values where a name was repeated. */
export const OAuthFields = z.record(z.string().max(200), z.union([z.string(), z.array(z.string())]))
export type OAuthFields = z.infer<typeof OAuthFields>

/** What a client says about itself when it registers (RFC 7591). Other members are ignored. */
export const ClientMetadata = z.object({
  redirect_uris: z.array(z.string().max(2_000)).min(1).max(20),
  client_name: z.string().max(4_000).optional(),
  grant_types: z.array(z.string()).max(20).optional(),
  response_types: z.array(z.string()).max(20).optional(),
})
export type ClientMetadata = z.infer<typeof ClientMetadata>

/** A registration, as it is returned to the client. */
export type RegisteredClient = {
  client_id: string
  client_id_issued_at: number
  client_name: string
  redirect_uris: string[]
  grant_types: ['authorization_code', 'refresh_token']
  response_types: ['code']
  token_endpoint_auth_method: 'none'
}

/**
 * Where a redirect URI leads: an application on this machine that listens on a port or has a URL
 * scheme, or a website.
 */
export const RedirectTarget = z.object({
  kind: z.enum(['loopback', 'app', 'website']),
  host: z.string().describe("A website's host, a port of this machine, or an application's URL scheme"),
})
export type RedirectTarget = z.infer<typeof RedirectTarget>

/** A key that an application has, by an earlier consent. */
export const ConnectedClient = z.object({
  id: z.int().describe('Of the key'),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  spent: z.int(),
})
export type ConnectedClient = z.infer<typeof ConnectedClient>

/** What a client asks for on the consent page, or why its request is refused. */
export const ConsentRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ask'),
    clientName: z.string(),
    publishedAt: z.string().nullable().describe("Host of the client's metadata document; null: it registered itself"),
    redirect: RedirectTarget,
    wants: z.object({ llm: z.boolean(), agent: z.boolean() }).describe('Scopes that it asked for'),
    denyTo: z.string().describe('Where Deny leads'),
    connected: z.array(ConnectedClient).describe('What applications may do already, newest first'),
  }),
  z.object({ kind: z.literal('refused'), message: z.string() }),
])
export type ConsentRequest = z.infer<typeof ConsentRequest>

/** RFC 6749, section 5.1. */
export type TokenResponse = {
  access_token: string
  token_type: string
  expires_in: number
  refresh_token: string
  scope?: string
}
