import { env } from '../env'
import type { OAuthFields } from './shape'

/** What identifies this authorization server: the origin of PUBLIC_URL (RFC 8414). */
export const oauthIssuer = (): string => new URL(env().PUBLIC_URL).origin

/** Every way that clients write the one resource there is: this service, or its MCP endpoint. */
const isResource = (uri: string): boolean => {
  const text = uri.replace(/\/$/, '')
  return text === oauthIssuer() || text === `${oauthIssuer()}/api/v1/mcp`
}

/** Why a token for these resources (RFC 8707) is not issued here; null where it is. */
export function findForeignResource({ resource = [] }: OAuthFields): string | null {
  const foreign = [resource].flat().find((uri) => !isResource(uri))
  return foreign === undefined ? null : `Keys of this service are for ${oauthIssuer()}/api/v1/mcp, not for ${foreign}.`
}
