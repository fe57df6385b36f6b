import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { BodyTooLargeError, contentEncodingOf, readDecodedBody } from './decode-body'

/** A response that was read to its end; its body without its Content-Encoding. */
export type WholeResponse = { statusCode: number; headers: ResponseHeaders; body: Buffer }

export type ResponseHeaders = Record<string, string | string[] | undefined>

export type WholeRequest = {
  dispatcher: Dispatcher
  method: Dispatcher.HttpMethod
  url: string | URL
  headers: Record<string, string>
  body?: string | Buffer | Uint8Array
  /** Rejects the promise with its reason, and closes the connection. */
  signal: AbortSignal
  /** Largest response, packed or unpacked, bytes. */
  maxBytes: number
  /**
   * Is called when the request goes out: its connection is open, and its head is written in the
   * same turn, with its body where that is one piece.
   */
  onStart?: () => void
  /** Is called with every piece of the body. */
  onData?: () => void
}

/**
 * Sends a request and reads its response to the end. That is `request` of undici without the
 * stream that it makes for the body of a response, which costs more than the rest where the whole
 * body is wanted. Throws what undici throws, BodyTooLargeError, an error of the body's decoder, or
 * the signal's reason.
 */
export async function fetchWhole(request: WholeRequest): Promise<WholeResponse> {
  const { dispatcher, url, method, headers: sent, body: content, signal } = request
  signal.throwIfAborted()
  const { origin, pathname, search } = typeof url === 'string' ? new URL(url) : url
  const options = { origin, path: pathname + search, method, headers: sent, body: content }
  const { statusCode, headers, chunks, size } = await new Promise<ResponseCollector>((resolve, reject) => {
    const collector = new ResponseCollector(request, resolve, reject)
    dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, collector)
  })
  const [only] = chunks
  const packed = chunks.length === 1 && only ? only : Buffer.concat(chunks, size)
  const encoding = contentEncodingOf(headers)
  const body = encoding === '' ? packed : await readDecodedBody(Readable.from([packed]), encoding, request.maxBytes)
  return { statusCode, headers, body }
}

/** Collects one exchange, up to its end. */
class ResponseCollector implements Dispatcher.DispatchHandler {
  statusCode = 0
  headers: ResponseHeaders = {}
  readonly chunks: Buffer[] = []
  size = 0
  private controller: Dispatcher.DispatchController | null = null
  private readonly request: WholeRequest
  private readonly resolve: (whole: ResponseCollector) => void
  private readonly reject: (error: unknown) => void

  constructor(request: WholeRequest, resolve: (whole: ResponseCollector) => void, reject: (error: unknown) => void) {
    this.request = request
    this.resolve = resolve
    this.reject = reject
    request.signal.addEventListener('abort', this.onAbort, { once: true })
  }

  private readonly onAbort = () => {
    const { reason } = this.request.signal
    this.controller?.abort(reason)
    this.reject(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    const { signal, onStart } = this.request
    if (signal.aborted) controller.abort(signal.reason)
    else onStart?.()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number, headers: ResponseHeaders): void {
    // The last head counts: those before it are informational.
    this.statusCode = statusCode
    this.headers = headers
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length
    if (this.size > this.request.maxBytes) {
      controller.abort(new BodyTooLargeError())
      return
    }
    this.chunks.push(chunk)
    this.request.onData?.()
  }

  onResponseEnd(): void {
    this.detach()
    this.resolve(this)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.detach()
    this.reject(error)
  }

  private detach(): void {
    this.request.signal.removeEventListener('abort', this.onAbort)
  }
}
