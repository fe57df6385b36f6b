import type { IncomingMessage, ServerResponse } from 'node:http'

/** Pages are read, and forms of theirs are posted. */
const METHODS = ['GET', 'HEAD', 'POST']

/** A path that cannot be decoded is nobody's; Next would answer 500. */
function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(target.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

/** No form of ours comes near it; Next would read as much and then answer 500. */
const MAX_FORM = 1024 * 1024

type Refusal = { status: number; error: string; code: string; headers?: Record<string, string> }

function refusalOf({ method = '', url = '/', headers }: IncomingMessage): Refusal | null {
  if (!METHODS.includes(method)) {
    const allow = METHODS.join(', ')
    return { status: 405, error: `Use ${allow}.`, code: 'method_not_allowed', headers: { allow } }
  }
  if (!isDecodable(url)) return { status: 400, error: 'The address is not valid.', code: 'invalid_request' }
  if (Number(headers['content-length'] ?? 0) > MAX_FORM) {
    return { status: 413, error: 'The form is too large.', code: 'payload_too_large', headers: { connection: 'close' } }
  }
  return null
}

/** Answers what no page can: a method that none serves, an address that is not text, a huge form. True when it did. */
export function refusePage(req: IncomingMessage, res: ServerResponse): boolean {
  const refusal = refusalOf(req)
  if (!refusal) return false
  const { status, headers, ...body } = refusal
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  return true
}
