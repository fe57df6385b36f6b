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
  /** Passes on what clients send, and ends their connections without what they are answered. */
  loseAnswers: () => void
  /** Resolves when a client sends a text, such as that of a statement; false after `withinMs`. */
  sent: (text: string, withinMs: number) => Promise<boolean>
  /** Lets every connection speak again. */
  thaw: () => void
  close: () => Promise<void>
}

type Pair = readonly [client: Socket, server: Socket]

/** Starts a proxy in front of a database. */
export async function startDatabaseProxy(target: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<Pair>()
  const awaited = new Map<string, () => void>()
  let frozen = false
  let isCut = false
  let losesAnswers = false

  const freeze = (pair: Pair) => {
    for (const socket of pair) socket.unpipe().pause()
  }
  /** The server does what it was sent, such as a commit, and its client never knows. */
  const lose = (pair: Pair) => {
    const [client, server] = pair
    server.unpipe(client).resume()
    server.once('data', () => {
      for (const each of pair) each.destroy()
    })
  }
  const flow = (pair: Pair) => {
    const [client, server] = pair
    client.pipe(server)
    if (losesAnswers) lose(pair)
    else server.pipe(client)
  }
  const proxy = createServer({ allowHalfOpen: false }, (client) => {
    if (isCut) {
      client.destroy()
      return
    }
    const pair: Pair = [client, connect(Number(port), hostname)]
    pairs.add(pair)
    if (frozen) client.pause()
    client.on('data', (bytes) => {
      for (const [text, seen] of awaited) if (bytes.includes(text)) seen()
    })
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
    loseAnswers: () => {
      losesAnswers = true
      for (const pair of pairs) lose(pair)
    },
    sent: (text, withinMs) =>
      new Promise((resolve) => {
        const end = (isSent: boolean) => {
          clearTimeout(timer)
          awaited.delete(text)
          resolve(isSent)
        }
        const timer = setTimeout(() => end(false), withinMs)
        awaited.set(text, () => end(true))
      }),
    thaw: () => {
      frozen = false
      isCut = false
      // What was opened meanwhile waits for an answer that was lost.
      if (losesAnswers) for (const [client] of pairs) client.destroy()
      losesAnswers = false
      for (const pair of pairs) flow(pair)
    },
    close: async () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
