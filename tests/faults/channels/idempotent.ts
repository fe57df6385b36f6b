import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BodyReading, type ClientCall, sendCall } from '../call'
import { FAULTS_MODEL, QUICK_REPLY, readChatStream, scriptedMessages } from './chat'
import type { FaultChannel, Traffic } from './define'
import { readToolResult } from './mcp'
import { readQuery } from './query'

type Kind = {
  path: string
  bodyOf: (token: string) => object
  headersOf: (token: string) => Record<string, string>
  read: (text: string, status: number) => BodyReading
}

const tool = { name: 'crypto_get_prices', arguments: { coinIds: ['sandbox-slow'] } }
const inHeader = (token: string) => ({ 'idempotency-key': token })

const KINDS: readonly Kind[] = [
  {
    path: '/api/v1/query',
    bodyOf: () => ({ tool: tool.name, params: tool.arguments }),
    headersOf: inHeader,
    read: readQuery,
  },
  {
    path: '/api/v1/chat/completions',
    bodyOf: () => ({ model: FAULTS_MODEL, messages: scriptedMessages(QUICK_REPLY), stream: true }),
    headersOf: inHeader,
    read: readChatStream,
  },
  {
    path: '/api/v1/mcp',
    bodyOf: (token) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { ...tool, _meta: { 'tollgate/idempotencyKey': token } },
    }),
    headersOf: () => ({ accept: 'application/json, text/event-stream' }),
    read: readToolResult,
  },
]

const PAUSE_MS = 400
/** Nothing is in progress any more then, so that only a database that comes back is waited for. */
const LEARN_WITHIN_MS = 60_000

/** A client that sends one call to one web process after another, until it is answered. */
function repeater({ path, bodyOf, headersOf, read }: Kind, { webs, key }: Traffic, first: number) {
  const token = randomUUID()
  let attempts = first
  return async (): Promise<ClientCall> => {
    const url = `${webs[attempts++ % webs.length]}${path}`
    return { ...(await sendCall({ url, key, body: bodyOf(token), headers: headersOf(token) }, read)), token }
  }
}

async function untilDelivered(send: () => Promise<ClientCall>): Promise<ClientCall[]> {
  const calls: ClientCall[] = []
  for (const end = Date.now() + LEARN_WITHIN_MS; ; await sleep(PAUSE_MS)) {
    const call = await send()
    calls.push(call)
    if (call.isDelivered) return calls
    if (Date.now() > end) throw new Error(`${call.token} was never answered: ${call.note}`)
  }
}

/**
 * Clients that repeat a call with its Idempotency-Key, at another web process, until they have the
 * answer, and then once more: all of it is one call.
 */
export const idempotentCalls: FaultChannel = {
  name: 'with Idempotency-Key',
  minPrice: 1,
  hasRuns: false,
  send: async (traffic, seen) => {
    const caller = async (kind: Kind, first: number) => {
      for (let n = first; !traffic.isOver(); n++) {
        const send = repeater(kind, traffic, n)
        let isDelivered = false
        while (!isDelivered && !traffic.isOver()) {
          const call = await send()
          seen.calls.push(call)
          isDelivered = call.isDelivered
          await sleep(PAUSE_MS)
        }
        if (isDelivered) seen.calls.push(await send())
        else seen.unknown.push(() => untilDelivered(send))
      }
    }
    await Promise.all(KINDS.flatMap((kind) => traffic.webs.map((_, w) => caller(kind, w))))
  },
}
