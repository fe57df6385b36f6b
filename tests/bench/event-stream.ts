import { createConnection } from 'node:net'

/** An open stream of events, read without more than a socket. */
export type EventStream = {
  /** When the next event comes, by `performance.now()`. Rejects when the stream ends first. */
  nextEvent: () => Promise<number>
  close: () => void
}

/** Opens a stream of events and resolves when its first one has come. */
export function openEventStream(base: string, path: string, key: string): Promise<EventStream> {
  const { hostname, port, host } = new URL(base)
  const socket = createConnection({ host: hostname, port: Number(port) })
  let next = Promise.withResolvers<number>()
  next.promise.catch(() => {})
  let head = ''
  socket.setEncoding('utf8')
  socket.on('data', (text) => {
    if (!head.includes('\r\n\r\n')) head += text
    if (!head.startsWith('HTTP/1.1 200')) return next.reject(new Error(`${path} answered ${head.slice(0, 200)}`))
    if (`${text}`.includes('data: ')) next.resolve(performance.now())
  })
  socket.on('error', (error) => next.reject(error))
  socket.on('close', () => next.reject(new Error(`${path} ended`)))
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n\r\n`)
  const nextEvent = () => {
    next = Promise.withResolvers<number>()
    return next.promise
  }
  return next.promise.then(() => ({ nextEvent, close: () => socket.destroy() }))
}
