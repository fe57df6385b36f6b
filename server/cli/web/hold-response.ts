import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** What was answered instead of being sent: status, headers and the whole body. */
export type HeldAnswer = { status: number; headers: OutgoingHttpHeaders; body: Buffer }

/** A response without a connection. It keeps what is written to it. */
class HeldResponse extends ServerResponse {
  readonly #chunks: Buffer[] = []
  readonly #send: (answer: HeldAnswer) => void

  constructor(req: IncomingMessage, send: (answer: HeldAnswer) => void) {
    super(req)
    this.#send = send
  }

  override flushHeaders(): void {}

  override writeHead(status: number, ...rest: unknown[]): this {
    this.statusCode = status
    const headers = rest.find((one): one is OutgoingHttpHeaders => typeof one === 'object' && one !== null)
    for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) this.setHeader(name, value)
    return this
  }

  override write(chunk: unknown, ...rest: unknown[]): boolean {
    if (typeof chunk === 'string') this.#chunks.push(Buffer.from(chunk, rest[0] === 'latin1' ? 'latin1' : 'utf8'))
    else if (chunk instanceof Uint8Array) this.#chunks.push(Buffer.from(chunk))
    callbackIn(rest)?.()
    return true
  }

  override end(...given: unknown[]): this {
    if (this.finished) return this
    const done = callbackIn(given)
    if (done) this.once('finish', done)
    this.write(given[0], typeof given[1] === 'string' ? given[1] : undefined)
    this.finished = true
    this.#send({ status: this.statusCode, headers: this.getHeaders(), body: Buffer.concat(this.#chunks) })
    return this
  }
}

const callbackIn = (given: unknown[]) => given.find((one): one is () => void => typeof one === 'function')

/**
 * A response to give to a listener in the place of `res`. `send` gets the whole answer once it is
 * complete, unless `res` was answered or closed before. Both finish and close together.
 */
export function holdResponse(res: ServerResponse, send: (answer: HeldAnswer) => void): ServerResponse {
  const held = new HeldResponse(res.req, (answer) => {
    if (!res.writableEnded && !res.destroyed) send(answer)
  })
  // Next listens, and everything that it pipes into the response.
  held.setMaxListeners(32)
  for (const event of ['finish', 'close'] as const) res.once(event, () => held.emit(event))
  return held
}
