import { prisma } from '../db'
import { isUuid } from '../kit/id'
import { clientDocumentUrl, readClientDocument } from './client-document'
import { cleanClientName } from './client-name'
import { oauthRefusal } from './refusal'

/** A client that may ask for authorization. */
export type OAuthClientInfo = {
  id: string
  name: string
  redirectUris: readonly string[]
  /** Host of its metadata document; null: it registered itself, under any name it liked. */
  publishedAt: string | null
  /** Whether an owner has allowed it before. */
  isAllowed: boolean
}

/**
 * The client with this id: a registration, or the metadata document that the id names. Throws
 * `invalid_client`.
 */
export async function findOAuthClient(id: string): Promise<OAuthClientInfo> {
  const url = clientDocumentUrl(id)
  if (url) {
    const { client_name, redirect_uris } = await readClientDocument(url)
    const name = cleanClientName(client_name, url.host)
    return { id, name, redirectUris: redirect_uris, publishedAt: url.host, isAllowed: false }
  }
  const client = isUuid(id) ? await prisma().oAuthClient.findUnique({ where: { id } }) : null
  if (!client) {
    throw oauthRefusal('invalid_client', 'This client is not registered here. Remove the connection and add it again.')
  }
  const { name, redirectUris, allowedAt } = client
  return { id, name, redirectUris, publishedAt: null, isAllowed: allowedAt !== null }
}
