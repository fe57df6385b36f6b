import { env } from '../../env'
import { AppError } from '../../errors'
import { pathOf, READ_METHODS } from '../handler'
import { sendValue } from '../response'
import { makeOAuthHandler } from './make-handler'

const origin = (): string => new URL(env().PUBLIC_URL).origin

const RESOURCE = '/.well-known/oauth-protected-resource'
const MCP = '/api/v1/mcp'

/** Where clients of the MCP endpoint find the metadata of its authorization (RFC 9728). */
export const resourceMetadataUrl = (): string => `${origin()}${RESOURCE}${MCP}`

/** RFC 9728. `path` follows the host in the resource's URL. */
const resourceMetadata = (path: string) => ({
  resource: `${origin()}${path}`,
  authorization_servers: [origin()],
  scopes_supported: ['tools'],
  bearer_methods_supported: ['header'],
  resource_name: 'Tollgate',
  resource_documentation: `${origin()}/docs`,
})

/** RFC 8414. Clients are public: a secret inside an installed application protects nothing. */
const serverMetadata = () => ({
  issuer: origin(),
  authorization_endpoint: `${origin()}/authorize`,
  token_endpoint: `${origin()}/token`,
  registration_endpoint: `${origin()}/register`,
  revocation_endpoint: `${origin()}/revoke`,
  scopes_supported: ['tools', 'llm', 'agent'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${origin()}/docs`,
})

const DOCUMENTS: Record<string, () => object> = {
  [RESOURCE]: () => resourceMetadata(''),
  [`${RESOURCE}${MCP}`]: () => resourceMetadata(MCP),
  '/.well-known/oauth-authorization-server': serverMetadata,
}

/**
 * `/.well-known`: how clients of the MCP endpoint get a key. What they ask for beside it, such as
 * OpenID Connect, is not found, in JSON.
 */
export const wellKnownHandler = makeOAuthHandler(READ_METHODS, async ({ req, headers }) => {
  const path = pathOf(req.url).replace(/\/$/, '')
  const document = Object.hasOwn(DOCUMENTS, path) ? DOCUMENTS[path] : undefined
  if (!document) throw new AppError('not_found', 'Not found. See /.well-known/oauth-protected-resource.')
  return sendValue(200, document(), headers())
})
