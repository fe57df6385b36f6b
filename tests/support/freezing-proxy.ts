import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'
import { env } from '../../server/env'

/** A way to the test run's database that stops in the middle of what goes through it. */
export type FreezingProxy = {
  /** The database's address, by way of the proxy. */
  url: string
  /**
   * Resolves once the bytes were seen. The server has them then, and gets nothing more from anybody
   * here.
   */
  frozen: Promise<void>
}

/**
 * Opens a proxy that passes everything on to the database until a client sends bytes that match:
 * those are the last ones that pass. To the server its clients are then silent, as processes are
 * that were stopped. `onFreeze` is called in the same turn of the event loop. Ended after the test
 * file.
 */
export async function startFreezingProxy(pattern: RegExp, onFreeze: () => void): Promise<FreezingProxy> {
  const target = new URL(env().DATABASE_URL)
  const sockets = new Set<Socket>()
  const { promise: frozen, resolve } = Promise.withResolvers<void>()
  let isFrozen = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (bytes) => {
      if (isFrozen) return
      upstream.write(bytes)
      if (!pattern.test(bytes.toString('latin1'))) return
      isFrozen = true
      onFreeze()
      resolve()
    })
    upstream.pipe(client)
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  afterAll(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: url.href, frozen }
}
