import { IncomingMessage } from 'node:http'

/** A request's body of at most `max` bytes, as soon as that is known. */
export function readBodyUpTo(req: IncomingMessage, max: number): Promise<Buffer | 'too large' | 'closed'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= max) return void chunks.push(chunk)
      req.pause()
      resolve('too large')
    })
    req.once('end', () => resolve(Buffer.concat(chunks, size)))
    req.once('error', () => resolve('closed'))
    req.once('close', () => resolve('closed'))
  })
}

/**
 * The same request with a body that is already there, for a listener that would read one of any
 * size.
 */
export function withBufferedBody(req: IncomingMessage, body: Buffer): IncomingMessage {
  const { socket, method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = req
  const copy = new IncomingMessage(socket)
  Object.assign(copy, { method, url, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor, complete: true })
  copy.headers = headers
  if (body.length > 0) copy.push(body)
  copy.push(null)
  return copy
}
