import net from 'node:net'

/** True when nothing listens on a port, on any address a browser might mean by localhost. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::', '0.0.0.0']) {
    const error = await tryListen(port, host)
    if (error && error !== 'EAFNOSUPPORT' && error !== 'EADDRNOTAVAIL') return false
  }
  return true
}

function tryListen(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

/** The first free port at or after `from`, within 50; else any that the system gives. */
export async function findFreePort(from = 0): Promise<number> {
  for (let port = from; from > 0 && port < from + 50; port++) if (await isPortFree(port)) return port
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
}
