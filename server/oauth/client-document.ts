import { LRUCache } from 'lru-cache'
import { env } from '../env'
import { isRecord } from '../kit/record'
import { SafeFetchError, safeFetch } from '../kit/safe-fetch'
import { oauthRefusal } from './refusal'
import { checkClientMetadata } from './register'
import type { ClientMetadata } from './shape'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 64 * 1024
const TTL_MS = 600_000

const documents = new LRUCache<string, ClientMetadata>({ max: 500, ttl: TTL_MS })

/**
 * The URL that a client id is, if it names a metadata document: https with a path, written as
 * browsers write it. Plain http only for hosts that the operator lets through.
 */
export function clientDocumentUrl(clientId: string): URL | null {
  if (clientId.length > 500 || !URL.canParse(clientId)) return null
  const url = new URL(clientId)
  const { protocol, pathname, hash, username, password } = url
  const isKnownHost = protocol === 'http:' && env().ALLOW_PRIVATE_HOSTS.includes(url.host)
  if (protocol !== 'https:' && !isKnownHost) return null
  const isPlain = hash === '' && username === '' && password === '' && pathname !== '/'
  return isPlain && url.href === clientId ? url : null
}

const invalid = (url: URL, why: string) =>
  oauthRefusal('invalid_client', `The client's metadata at ${url.href} is not valid: ${why}`)

async function fetchDocument(url: URL): Promise<unknown> {
  const allow = env().ALLOW_PRIVATE_HOSTS
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const headers = { accept: 'application/json' }
  try {
    // A document elsewhere would speak for a URL that is not its own.
    const { status, body } = await safeFetch(url, { allow, signal, maxBytes: MAX_BYTES, maxRedirects: 0, headers })
    if (status !== 200) throw invalid(url, `its status is ${status}.`)
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    if (error instanceof SafeFetchError) throw invalid(url, error.message)
    if (error instanceof SyntaxError) throw invalid(url, 'it is not JSON.')
    throw error
  }
}

/**
 * The metadata that a client publishes at its id (OAuth client id metadata documents), kept for ten
 * minutes. Throws `invalid_client`.
 */
export async function readClientDocument(url: URL): Promise<ClientMetadata> {
  const known = documents.get(url.href)
  if (known) return known
  const document = await fetchDocument(url)
  if (!isRecord(document) || document.client_id !== url.href) throw invalid(url, 'its client_id is not this URL.')
  const metadata = checkClientMetadata(document)
  documents.set(url.href, metadata)
  return metadata
}
