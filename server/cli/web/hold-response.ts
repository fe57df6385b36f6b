import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

/**
 * Has a response keep its body instead of sending it. `send` gets the whole body once it is
 * complete; the response has its headers by then, none of them sent.
 */
export function holdResponse(res: ServerResponse, send: (body: Buffer) => void): void {
  const { write, end, writeHead, flushHeaders } = res
  const chunks: Buffer[] = []
  const keep = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding === 'latin1' ? 'latin1' : 'utf8'))
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  const callbackIn = (given: unknown[]) => given.find((one): one is () => void => typeof one === 'function')
  res.flushHeaders = () => {}
  res.writeHead = ((status: number, ...rest: unknown[]) => {
    // With another status the answer begins anew: a shutdown refuses what is not sent yet.
    if (status !== res.statusCode) chunks.length = 0
    res.statusCode = status
    const headers = rest.find((one): one is OutgoingHttpHeaders => typeof one === 'object' && one !== null)
    for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) res.setHeader(name, value)
    return res
  }) as typeof writeHead
  res.write = ((chunk: unknown, ...rest: unknown[]) => {
    keep(chunk, rest[0])
    callbackIn(rest)?.()
    return true
  }) as typeof write
  res.end = ((...given: unknown[]) => {
    keep(given[0], given[1])
    Object.assign(res, { write, end, writeHead, flushHeaders })
    const done = callbackIn(given)
    if (done) res.once('finish', done)
    send(Buffer.concat(chunks))
    return res
  }) as typeof end
}
