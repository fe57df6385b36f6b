import { createServer, type Server } from 'node:net'
import { isPortFree } from '../../server/cli/kit/ports'

/**
 * Below the ports that the system gives to clients and to servers that ask for any: a port from
 * there may be a client's before the process that it was chosen for listens.
 */
const FIRST_PORT = 12_000
const BLOCK = 50
const BLOCKS = 400

type PortBlock = { take: () => Promise<number>; release: () => void }

/**
 * Reserves ports that no other test process of this machine is given. The first one is listened on
 * until `release`, or the end of this process: of two that want a block, the system lets one have
 * it.
 */
async function reservePorts(): Promise<PortBlock> {
  for (let nth = 0; nth < BLOCKS; nth++) {
    // Processes that start together begin in different places.
    const first = FIRST_PORT + ((process.pid * 7 + nth) % BLOCKS) * BLOCK
    const holder = await tryHold(first)
    if (!holder) continue
    let taken = 0
    const take = async () => {
      for (let attempts = 1; attempts < BLOCK; attempts++) {
        const port = first + 1 + (taken++ % (BLOCK - 1))
        if (await isPortFree(port)) return port
      }
      throw new Error(`Every port of ${first} to ${first + BLOCK - 1} is taken.`)
    }
    return { take, release: () => holder.close() }
  }
  throw new Error('Every block of ports is taken.')
}

function tryHold(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer().unref()
    server.once('error', () => resolve(null))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server))
  })
}

let reserved: Promise<PortBlock> | undefined

/**
 * A free port for a process that listens later. No test process beside this one is given the same,
 * and none twice in a short time.
 */
export async function takePort(): Promise<number> {
  reserved ??= reservePorts()
  return (await reserved).take()
}

/** Gives up the ports that were taken. */
export async function releasePorts(): Promise<void> {
  const block = await reserved
  reserved = undefined
  block?.release()
}
