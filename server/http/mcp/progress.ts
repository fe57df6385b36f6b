import type { JSONRPCMessage, ProgressNotification, ProgressToken, RequestId } from '@modelcontextprotocol/server'
import { isRecord } from '../../kit/record'
import { isToolCall, type McpRequest } from './request'

/** How often a client reads how its call goes on, milliseconds; tests set their own value. */
export const progressTiming = { everyMs: 10_000 }

/** A tools/call whose client wants to know that it goes on. */
export type WatchedCall = { id: RequestId; token: ProgressToken; name: string; args: unknown }

const isTokenOrId = (value: unknown): value is string | number => typeof value === 'string' || Number.isInteger(value)

/** True where a request's Accept header names event streams: a wildcard is no wish for one. */
const acceptsEvents = (headers: Headers): boolean =>
  (headers.get('accept') ?? '').split(',').some((range) => /^\s*text\/event-stream\s*(;|$)/i.test(range))

/**
 * The tools/call of a body with a progressToken, from a client that reads event streams; else null.
 */
export function watchedCallOf(headers: Headers, body: unknown): WatchedCall | null {
  if (!isToolCall(body) || !('id' in body) || !isRecord(body.params) || !acceptsEvents(headers)) return null
  const { _meta, name, arguments: args } = body.params
  const token = isRecord(_meta) ? _meta.progressToken : undefined
  if (!isTokenOrId(token) || !isTokenOrId(body.id) || typeof name !== 'string') return null
  return { id: body.id, token, name, args }
}

const messageEvent = (json: string): string => `event: message\ndata: ${json}\n\n`

/** A JSON-RPC message as a server-sent event. */
export const rpcEvent = (message: JSONRPCMessage): string => messageEvent(JSON.stringify(message))

function progressEvent({ token }: WatchedCall, activity: string, sinceMs: number): string {
  const progress = sinceMs / 1000
  const message = `${activity} for ${Math.round(progress)} s`
  const notification: ProgressNotification = {
    method: 'notifications/progress',
    params: { progressToken: token, progress, message },
  }
  return rpcEvent({ jsonrpc: '2.0', ...notification })
}

/**
 * A call's progress and then its answer, as server-sent events. Ends when the call has ended, also
 * where its client has disconnected.
 */
export async function* eventsOfCall(
  answer: Promise<Response>,
  call: WatchedCall,
  { procedures }: McpRequest,
): AsyncGenerator<string> {
  const { name, args: params } = call
  const started = performance.now()
  const text = answer.then((response) => response.text())
  // Also awaited below; a client that has disconnected never gets there.
  text.catch(() => {})
  try {
    for (;;) {
      const { promise: tick, resolve } = Promise.withResolvers<null>()
      const timer = setTimeout(resolve, progressTiming.everyMs, null)
      const json = await Promise.race([text, tick]).finally(() => clearTimeout(timer))
      if (json !== null) return yield messageEvent(json)
      const activity = await procedures.public.mcp.activity({ name, params })
      yield progressEvent(call, activity, performance.now() - started)
    }
  } finally {
    await text.catch(() => {})
  }
}
