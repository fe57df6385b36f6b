import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errorBody } from '../../api/error-body'
import { AppError, type ErrorCode, type Reason } from '../../errors'
import { contentServedAt } from '../../http/site-host'
import { uuidv7 } from '../../kit/id'
import { closeUnlessBodyRead } from './close-connection'

/** An answer that no handler gives: its HTTP status, and the API's error body. */
export type RawRefusal = {
  status: number
  /** HTTP's own words for the status. */
  phrase: string
  error: string
  code: ErrorCode
  /** Default: that of the code. */
  reason?: Reason
  headers?: Record<string, string>
}

export const REFUSALS = {
  badRequest: { status: 400, phrase: 'Bad Request', error: 'The request is not valid HTTP.', code: 'invalid_request' },
  twoHosts: { status: 400, phrase: 'Bad Request', error: 'Send one Host header.', code: 'invalid_request' },
  badTarget: { status: 400, phrase: 'Bad Request', error: 'The address is not valid.', code: 'invalid_request' },
  /**
   * The host of published sites serves nothing else: the dashboard never shares an origin with a
   * site.
   */
  stray: { status: 404, phrase: 'Not Found', error: 'There is nothing at this address.', code: 'not_found' },
  noTunnel: {
    status: 405,
    phrase: 'Method Not Allowed',
    error: 'This is not a proxy.',
    code: 'method_not_allowed',
    headers: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' },
  },
  timeout: {
    status: 408,
    phrase: 'Request Timeout',
    error: 'The request did not arrive in time.',
    code: 'invalid_request',
    reason: 'timeout',
  },
  tooLarge: { status: 413, phrase: 'Content Too Large', error: 'The body is too large.', code: 'payload_too_large' },
  headersTooLarge: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    error: 'The headers are too large.',
    code: 'payload_too_large',
  },
} as const satisfies Record<string, RawRefusal>

/**
 * The refusal of headers that are too large. At a site they are mostly cookies that another site
 * has set for all of them: the browser is asked to delete these.
 */
export function headersTooLargeFor(error: Error): RawRefusal {
  const { rawPacket } = error as { rawPacket?: Buffer }
  const [, host] = /\r\nhost:[ \t]*(\S+)/i.exec(rawPacket?.toString('latin1') ?? '') ?? []
  if (contentServedAt(host) !== 'sites') return REFUSALS.headersTooLarge
  return { ...REFUSALS.headersTooLarge, headers: { 'clear-site-data': '"cookies"' } }
}

/** The API's error body. */
export const refusalBody = ({ error, code, reason }: RawRefusal) => errorBody(new AppError(code, error, { reason }))

const bodyOf = (refusal: RawRefusal): string => JSON.stringify(refusalBody(refusal))

const headersOf = (refusal: RawRefusal): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-request-id': uuidv7(),
  ...refusal.headers,
})

/** Sends a refusal in the API's error envelope. */
export async function sendRefusal(res: ServerResponse, refusal: RawRefusal): Promise<void> {
  await closeUnlessBodyRead(res)
  res.writeHead(refusal.status, headersOf(refusal)).end(bodyOf(refusal))
}

/** Writes a refusal to a connection that has no usable response object, and closes it. */
export function sendSocketRefusal(socket: Socket, refusal: RawRefusal): void {
  const body = bodyOf(refusal)
  const headers = {
    ...headersOf(refusal),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${refusal.status} ${refusal.phrase}\r\n${head.join('')}\r\n${body}`, () => socket.destroy())
}
