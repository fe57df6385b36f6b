import { type Agent, type Dispatcher, request } from 'undici'
import { secretFromEnv } from '../../env'
import { jsonBytes } from '../../kit/kept-json'
import { makeProviderAgent, wasGivenUp } from '../../kit/provider-agent'
import { withClientSpan } from '../../kit/tracing/http-spans'
import { fetchWhole } from '../../kit/whole-response'
import type { CallModelOptions, ModelRequest } from '../completion'
import type { Upstream } from '../shape'
import { type Destination, fittedBody } from './native-body'
import { type AnswerLimits, jsonOrText, MAX_ANSWER, type UpstreamAnswer } from './read-answer'
import type { ExchangeTimer } from './timer'

/** Connections to upstreams, by how long one may take to be opened. */
const agents = new Map<number, Agent>()

function agentFor(connectMs: number): Agent {
  const agent = agents.get(connectMs) ?? makeProviderAgent(connectMs)
  agents.set(connectMs, agent)
  return agent
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

/** Largest body that a socket takes in one piece as soon as it is written, bytes. */
const TAKEN_AT_ONCE = 16 * 1024

type PostOptions = Pick<CallModelOptions, 'sent'> & { timer: ExchangeTimer; connectMs: number }

/** JSON for an upstream, ready to be sent in either way. */
type Post = PostOptions & { url: string; headers: Record<string, string>; bytes: Buffer }

const headersOf = ({ headers, bytes }: Post, trace: Record<string, string>) => ({
  accept: 'application/json',
  ...headers,
  ...trace,
  'content-type': 'application/json',
  'content-length': String(bytes.length),
  'accept-encoding': 'identity',
})

/** Notes that an upstream has the whole request. */
const noteAccepted =
  ({ sent, timer }: PostOptions) =>
  () => {
    if (sent && !timer.signal.aborted) sent.accepted = true
  }

/**
 * Sends once more where a kept connection had been given up: an answer made twice changes nothing
 * at an upstream.
 */
async function sendUntilTaken<T>({ sent, timer }: PostOptions, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (timer.signal.aborted || !wasGivenUp(error)) throw error
    if (sent) sent.accepted = false
    return send()
  }
}

/** Sends JSON, and returns the response as soon as its head is there. Throws undici's errors. */
const openResponse = (post: Post): Promise<Dispatcher.ResponseData> =>
  sendUntilTaken(post, () =>
    withClientSpan({ method: 'POST', url: post.url }, (trace) =>
      request(post.url, {
        method: 'POST',
        dispatcher: agentFor(post.connectMs),
        signal: post.timer.signal,
        headers: headersOf(post, trace),
        body: asBody(withCallback(post.bytes, noteAccepted(post))),
      }),
    ),
  )

/** Sends JSON, and reads the whole answer, whatever its status. Throws undici's errors. */
async function postForAnswer(post: Post, { idleMs, maxBytes = MAX_ANSWER }: AnswerLimits): Promise<UpstreamAnswer> {
  const { url, bytes, timer } = post
  const onSent = noteAccepted(post)
  const { statusCode, headers, body } = await sendUntilTaken(post, () =>
    withClientSpan({ method: 'POST', url }, (trace) =>
      fetchWhole({
        dispatcher: agentFor(post.connectMs),
        method: 'POST',
        url,
        headers: headersOf(post, trace),
        signal: timer.signal,
        maxBytes,
        onData: () => timer.restart(idleMs, 'further byte'),
        ...(bytes.length <= TAKEN_AT_ONCE
          ? { body: bytes, onStart: onSent }
          : { body: asBody(withCallback(bytes, onSent)) }),
      }),
    ),
  )
  return { statusCode, headers, json: jsonOrText(body) }
}

/** Sends JSON to an upstream, and reads its answer, whatever the status. Throws undici's errors. */
export const postJson = (
  url: string,
  body: Record<string, unknown>,
  { headers, idleMs, maxBytes, ...options }: PostOptions & AnswerLimits & { headers: Record<string, string> },
): Promise<UpstreamAnswer> => postForAnswer({ ...options, url, headers, bytes: jsonBytes(body) }, { idleMs, maxBytes })

/** The key of an upstream, for a request to it. */
export const keyOf = ({ apiKeyEnv }: Upstream): string | undefined =>
  apiKeyEnv === null ? undefined : secretFromEnv(apiKeyEnv)

/**
 * One completion for one upstream, in its wire. Throws `invalid_request` for what that cannot
 * carry.
 */
function completionPost(to: Destination, asked: ModelRequest, options: PostOptions): Post {
  const { isStream, outputTokens } = asked
  const { upstream, wire } = to
  const { body, abilities } = fittedBody(asked, to)
  return {
    ...options,
    url: `${upstream.baseUrl}${wire.path}`,
    headers: { ...wire.headers(keyOf(upstream), asked), ...(isStream && { accept: 'text/event-stream' }) },
    bytes: jsonBytes(wire.requestBody(body, { upstream, isStream, outputTokens, abilities })),
  }
}

/**
 * Asks one upstream for a completion, in its wire, and reads the whole answer, whatever its status.
 * Throws undici's errors, and `invalid_request` for what its wire cannot carry.
 */
export const postCompletion = async (
  to: Destination,
  asked: ModelRequest,
  { idleMs, ...options }: PostOptions & AnswerLimits,
): Promise<UpstreamAnswer> => postForAnswer(completionPost(to, asked, options), { idleMs })

/** The same for one that is asked to stream: returns once the head of its response is there. */
export const openCompletion = async (
  to: Destination,
  asked: ModelRequest,
  options: PostOptions,
): Promise<Dispatcher.ResponseData> => openResponse(completionPost(to, asked, options))
