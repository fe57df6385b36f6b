import type { IncomingMessage, ServerResponse } from 'node:http'
import { uuidv7 } from '../../kit/id'
import { readBodyUpTo, withBufferedBody } from './buffer-body'
import { closeUnlessBodyRead, hasRequestBody } from './close-connection'
import { logPage } from './log-page'
import { type RawRefusal, REFUSALS, sendRefusal } from './refuse'

export type RequestListener = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>

/** Pages are read, and forms of theirs are posted. */
const METHODS = ['GET', 'HEAD', 'POST']

/** The largest form, bytes; Next would read on and then answer 500. */
const MAX_FORM = 1024 * 1024

const WRONG_METHOD: RawRefusal = {
  status: 405,
  phrase: 'Method Not Allowed',
  error: `Use ${METHODS.join(', ')}.`,
  code: 'method_not_allowed',
  headers: { allow: METHODS.join(', ') },
}

/** A path that cannot be decoded is not a page's; Next would answer 500. */
function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(target.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

function refusalOf({ method = '', url = '/', headers }: IncomingMessage): RawRefusal | null {
  if (!METHODS.includes(method)) return WRONG_METHOD
  if (!isDecodable(url)) return REFUSALS.badTarget
  return Number(headers['content-length'] ?? 0) > MAX_FORM ? REFUSALS.tooLarge : null
}

/**
 * Hands a request to Next with its whole body, or refuses what no page takes: a method that none
 * serves, an address that is not text, a body of more than 1 MiB. A body of GET or HEAD is not
 * read.
 */
export async function servePage(req: IncomingMessage, res: ServerResponse, toNext: RequestListener): Promise<void> {
  const refusal = refusalOf(req)
  if (refusal) return sendRefusal(res, refusal)
  const requestId = uuidv7()
  res.setHeader('x-request-id', requestId)
  logPage(req, res, requestId)
  if (!hasRequestBody(req)) return toNext(req, res)
  if (req.method !== 'POST') {
    await closeUnlessBodyRead(res)
    return toNext(withBufferedBody(req, Buffer.alloc(0)), res)
  }
  const body = await readBodyUpTo(req, MAX_FORM)
  if (body === 'closed') return
  return body === 'too large' ? sendRefusal(res, REFUSALS.tooLarge) : toNext(withBufferedBody(req, body), res)
}
