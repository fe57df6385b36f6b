import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A TCP proxy in front of PostgreSQL whose connections can fall silent, as with a frozen peer or a
 * lost route.
 */
export type DatabaseProxy = {
  /** The database's address through the proxy. */
  url: string
  /** Silences the connections that are open now; new ones work. */
  freezeOpen: () => void
  /** Silences every connection, new ones too, until `thaw`. */
  freezeAll: () => void
  /** Ends every connection and accepts no new one, until `thaw`. */
  cut: () => void
  /** Lets every connection speak again. */
  thaw: () => void
  close: () => Promise<void>
}

type Pair = readonly [client: Socket, server: Socket]

/** Starts a proxy in front of a database. */
export async function startDatabaseProxy(target: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<Pair>()
  let frozen = false
  let isCut = false

  const freeze = (pair: Pair) => {
    for (const socket of pair) socket.unpipe().pause()
  }
  const flow = ([client, server]: Pair) => {
    client.pipe(server)
    server.pipe(client)
  }
  const proxy = createServer({ allowHalfOpen: false }, (client) => {
    if (isCut) {
      client.destroy()
      return
    }
    const pair: Pair = [client, connect(Number(port), hostname)]
    pairs.add(pair)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        for (const each of pair) each.destroy()
      })
    }
    if (!frozen) flow(pair)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')

  const url = new URL(target)
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    freezeOpen: () => {
      for (const pair of pairs) freeze(pair)
    },
    freezeAll: () => {
      frozen = true
      for (const pair of pairs) freeze(pair)
    },
    cut: () => {
      isCut = true
      for (const [client] of pairs) client.destroy()
    },
    thaw: () => {
      frozen = false
      isCut = false
      for (const pair of pairs) flow(pair)
    },
    close: async () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
