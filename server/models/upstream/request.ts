import { Agent, type Dispatcher, request } from 'undici'
import { secretFromEnv } from '../../env'
import type { CallModelOptions, CompletionBody } from '../completion'
import type { Upstream } from '../shape'
import type { ExchangeTimer } from './timer'

/** Connections to model vendors. Time limits are ours, see `watch`; undici's own would also count a slow reader. */
const agents = new Map<number, Agent>()

function agentFor(connectMs: number): Agent {
  const known = agents.get(connectMs)
  if (known) return known
  const made = new Agent({ connect: { timeout: connectMs }, headersTimeout: 0, bodyTimeout: 0, allowH2: false })
  agents.set(connectMs, made)
  return made
}

/** The bytes of a body. Being asked for what follows them means that the socket has taken them all. */
async function* telling(bytes: Buffer, sent: () => void): AsyncGenerator<Buffer> {
  yield bytes
  // A socket that died also asks for more; it notices at this one.
  yield Buffer.alloc(0)
  sent()
}

/** undici takes async iterables as bodies and waits for the socket; its types do not say so. */
const asBody = (bytes: AsyncIterable<Buffer>) => bytes as unknown as Uint8Array

/** Sends one chat completion to one upstream, and answers whatever the status. Throws undici's errors. */
export function postCompletion(
  upstream: Upstream,
  body: CompletionBody,
  { watch, sent, connectMs }: Pick<CallModelOptions, 'sent'> & { watch: ExchangeTimer; connectMs: number },
): Promise<Dispatcher.ResponseData> {
  const isStream = body.stream === true
  const asked = isStream
    ? { stream_options: { ...(body.stream_options as object | undefined), include_usage: true } }
    : {}
  const bytes = Buffer.from(JSON.stringify({ ...body, ...asked, model: upstream.model }))
  const key = upstream.apiKeyEnv === null ? undefined : secretFromEnv(upstream.apiKeyEnv)
  return request(`${upstream.baseUrl}/chat/completions`, {
    method: 'POST',
    dispatcher: agentFor(connectMs),
    signal: watch.signal,
    headers: {
      'content-type': 'application/json',
      'content-length': String(bytes.length),
      accept: isStream ? 'text/event-stream' : 'application/json',
      'accept-encoding': 'identity',
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: asBody(
      telling(bytes, () => {
        if (sent && !watch.signal.aborted) sent.accepted = true
      }),
    ),
  })
}
