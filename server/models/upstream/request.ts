import { Agent, type Dispatcher, request } from 'undici'
import { secretFromEnv } from '../../env'
import type { CallModelOptions, CompletionBody } from '../completion'
import type { Upstream } from '../shape'
import type { UpstreamWire } from '../wires/wire'
import type { ExchangeTimer } from './timer'

/**
 * Connections to upstreams. `ExchangeTimer` limits time; undici's own limits would also count a
 * slow reader.
 */
const agents = new Map<number, Agent>()

function agentFor(connectMs: number): Agent {
  const known = agents.get(connectMs)
  if (known) return known
  const made = new Agent({ connect: { timeout: connectMs }, headersTimeout: 0, bodyTimeout: 0, allowH2: false })
  agents.set(connectMs, made)
  return made
}

/** The bytes of a body. undici asks for what follows them once the socket has taken them all. */
async function* withCallback(bytes: Buffer, onSent: () => void): AsyncGenerator<Buffer> {
  yield bytes
  // A dead socket also asks for more, and fails at this one.
  yield Buffer.alloc(0)
  onSent()
}

/** undici takes async iterables as bodies and waits for the socket; its types do not say so. */
const asBody = (bytes: AsyncIterable<Buffer>) => bytes as unknown as Uint8Array

type PostOptions = Pick<CallModelOptions, 'sent'> & { wire: UpstreamWire; timer: ExchangeTimer; connectMs: number }

/**
 * Sends one completion to one upstream. Returns its response, whatever the status. Throws undici's
 * errors.
 */
export function postCompletion(
  upstream: Upstream,
  body: CompletionBody,
  { wire, timer, sent, connectMs }: PostOptions,
): Promise<Dispatcher.ResponseData> {
  const bytes = Buffer.from(JSON.stringify(wire.requestBody(body, upstream.model)))
  const key = upstream.apiKeyEnv === null ? undefined : secretFromEnv(upstream.apiKeyEnv)
  return request(`${upstream.baseUrl}${wire.path}`, {
    method: 'POST',
    dispatcher: agentFor(connectMs),
    signal: timer.signal,
    headers: {
      'content-type': 'application/json',
      'content-length': String(bytes.length),
      accept: body.stream === true ? 'text/event-stream' : 'application/json',
      'accept-encoding': 'identity',
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: asBody(
      withCallback(bytes, () => {
        if (sent && !timer.signal.aborted) sent.accepted = true
      }),
    ),
  })
}
