import type { Readable } from 'node:stream'
import type pg from 'pg'
import { AppError } from '../../errors'

/**
 * Bytes that one connection may receive: many times a result's maximum, and few enough to buffer.
 */
export const MAX_RECEIVED_BYTES = 8 * 1024 * 1024

/** A message begins with a type byte and a length, which includes itself. */
const HEADER_BYTES = 5
const ERROR_RESPONSE = 'E'.charCodeAt(0)
const NOTICE_RESPONSE = 'N'.charCodeAt(0)

const tooMuch = () =>
  new AppError(
    'upstream_error',
    `The database sends more than ${MAX_RECEIVED_BYTES / 1024 / 1024} MiB: select fewer rows or shorter values. Nothing was committed.`,
  )
const malformed = (cause?: unknown) =>
  new AppError('upstream_error', 'The server does not speak the PostgreSQL protocol.', { cause })

/** The driver's internals between its socket and its parser. */
type Internals = { attachListeners: (stream: { on: Readable['on'] }) => void }

/**
 * Guards the driver's parser against an untrusted server. Received bytes are counted, only complete
 * and well-formed messages are passed on, and an exception in the parser ends this connection
 * instead of the process. Errors arrive as errors of the connection.
 */
export function guardWire(client: pg.Client): void {
  const connection = client.connection as unknown as Internals
  const attach = connection.attachListeners.bind(connection)
  connection.attachListeners = (stream) =>
    attach({ on: (event, listener) => listen(stream as Readable, event, listener) })
}

function listen(stream: Readable, event: string | symbol, listener: (...args: never[]) => void): Readable {
  if (event !== 'data') return stream.on(event, listener as () => void)
  const receive = makeReceiver(listener as (messages: Buffer) => void)
  return stream.on('data', (chunk: Buffer) => {
    // Chunks that were already read still arrive after destroy().
    if (stream.destroyed) return
    try {
      receive(chunk)
    } catch (error) {
      stream.destroy(error instanceof AppError ? error : malformed(error))
    }
  })
}

/**
 * Collects chunks, and forwards the messages that are complete. Throws for malformed or oversized
 * messages.
 */
function makeReceiver(forward: (messages: Buffer) => void): (chunk: Buffer) => void {
  let waiting: Buffer[] = []
  let size = 0
  let needed = HEADER_BYTES
  let received = 0
  return (chunk) => {
    received += chunk.length
    if (received > MAX_RECEIVED_BYTES) throw tooMuch()
    waiting.push(chunk)
    size += chunk.length
    // Joined only when a message is complete, so that a message in many small chunks is copied
    // once.
    if (size < needed) return
    const buffer = waiting.length === 1 ? chunk : Buffer.concat(waiting, size)
    let at = 0
    needed = HEADER_BYTES
    while (size - at >= HEADER_BYTES) {
      const length = 1 + buffer.readUInt32BE(at + 1)
      if (length < HEADER_BYTES) throw malformed()
      if (length > MAX_RECEIVED_BYTES) throw tooMuch()
      if (size - at < length) {
        needed = length
        break
      }
      checkMessage(buffer.subarray(at, at + length))
      at += length
    }
    if (at > 0) forward(buffer.subarray(0, at))
    waiting = at < size ? [buffer.subarray(at)] : []
    size -= at
  }
}

/**
 * The driver reads the fields of an error or a notice up to a zero byte: without one it would never
 * stop.
 */
function checkMessage(message: Buffer): void {
  if (message[0] !== ERROR_RESPONSE && message[0] !== NOTICE_RESPONSE) return
  for (let at = HEADER_BYTES; at < message.length; ) {
    if (message[at] === 0) return
    const end = message.indexOf(0, at + 1)
    if (end === -1) break
    at = end + 1
  }
  throw malformed()
}
