import { Agent, type Dispatcher, request } from 'undici'
import { secretFromEnv } from '../../env'
import { jsonBytes } from '../../kit/kept-json'
import { withClientSpan } from '../../kit/tracing/http-spans'
import type { CallModelOptions, ModelRequest } from '../completion'
import type { Upstream } from '../shape'
import type { UpstreamWire } from '../wires/wire'
import { nativeBody } from './native-body'
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

type Post = Pick<CallModelOptions, 'sent'> & {
  headers: Record<string, string>
  timer: ExchangeTimer
  connectMs: number
}

/** Sends JSON to an upstream. Returns its response, whatever the status. Throws undici's errors. */
export function postJson(
  url: string,
  body: Record<string, unknown>,
  { headers, timer, sent, connectMs }: Post,
): Promise<Dispatcher.ResponseData> {
  const bytes = jsonBytes(body)
  return withClientSpan({ method: 'POST', url }, (trace) =>
    request(url, {
      method: 'POST',
      dispatcher: agentFor(connectMs),
      signal: timer.signal,
      headers: {
        accept: 'application/json',
        ...headers,
        ...trace,
        'content-type': 'application/json',
        'content-length': String(bytes.length),
        'accept-encoding': 'identity',
      },
      body: asBody(
        withCallback(bytes, () => {
          if (sent && !timer.signal.aborted) sent.accepted = true
        }),
      ),
    }),
  )
}

/** The key of an upstream, for a request to it. */
export const keyOf = ({ apiKeyEnv }: Upstream): string | undefined =>
  apiKeyEnv === null ? undefined : secretFromEnv(apiKeyEnv)

type PostOptions = Omit<Post, 'headers'> & { wire: UpstreamWire }

/**
 * Sends one completion to one upstream, in its wire. Returns its response, whatever the status.
 * Throws undici's errors, and `invalid_request` for what its wire cannot carry.
 */
export function postCompletion(
  upstream: Upstream,
  asked: ModelRequest,
  { wire, ...options }: PostOptions,
): Promise<Dispatcher.ResponseData> {
  const { isStream, outputTokens } = asked
  const native = upstream.cacheMarks ? wire.fromChat(asked.toChat(asked.body)) : nativeBody(asked, wire)
  const body = wire.requestBody(native, { upstream, isStream, outputTokens })
  return postJson(`${upstream.baseUrl}${wire.path}`, body, {
    ...options,
    headers: { ...wire.headers(keyOf(upstream), asked), ...(isStream && { accept: 'text/event-stream' }) },
  })
}
