import { createConnection, type Socket } from 'node:net'

/** One response as it came over a socket. */
export type RawResponse = { status: number; head: string; body: string; text: string }

export const parseRawResponse = (text: string): RawResponse => {
  const end = text.indexOf('\r\n\r\n')
  return {
    status: Number(/^HTTP\/1\.[01] (\d+)/.exec(text)?.[1] ?? 0),
    head: text.slice(0, end).toLowerCase(),
    body: text.slice(end + 4),
    text,
  }
}

/**
 * Opens a connection and collects what comes back. `closed` resolves when the server has closed it,
 * or it broke.
 */
export function openSocket(port: number): { socket: Socket; text: () => string; closed: Promise<void> } {
  const socket = createConnection(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, text: () => text, closed }
}

/**
 * Sends bytes and returns what came back until the server closed; `withinMs` ends the wait where it
 * keeps the connection.
 */
export async function exchangeBytes(port: number, bytes: string, withinMs = 20_000): Promise<RawResponse> {
  const { socket, text, closed } = openSocket(port)
  socket.write(bytes)
  const timer = setTimeout(() => socket.destroy(), withinMs)
  await closed
  clearTimeout(timer)
  return parseRawResponse(text())
}

/**
 * Sends a head and then as much of `total` bytes of body as the server takes, in chunks where
 * `isChunked`. Resolves when the connection is closed. `sent`: bytes that left this process.
 */
export async function floodBody(
  port: number,
  head: string,
  { total, isChunked }: { total: number; isChunked: boolean },
): Promise<{ answer: RawResponse; localPort: number | undefined; sent: number }> {
  const { socket, text, closed } = openSocket(port)
  let localPort: number | undefined
  socket.once('connect', () => {
    localPort = socket.localPort
  })
  const block = Buffer.alloc(64 * 1024, 32)
  const part = isChunked ? Buffer.concat([Buffer.from('10000\r\n'), block, Buffer.from('\r\n')]) : block
  let left = total
  socket.write(`${head}${isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${total}`}\r\n\r\n`)
  const pump = () => {
    while (left > 0 && socket.writable) {
      left -= block.length
      if (!socket.write(part)) return
    }
    if (left <= 0 && isChunked && socket.writable) socket.write('0\r\n\r\n')
    left = left <= 0 ? Number.NaN : left
  }
  socket.on('drain', pump)
  pump()
  await closed
  return { answer: parseRawResponse(text()), localPort, sent: socket.bytesWritten - socket.writableLength }
}
