import type { ServerResponse } from 'node:http'
import type { UpstreamHandler } from './fake-upstream'
import { sseEvent, streamChunk } from './fake-upstream'

type Fields = Record<string, unknown>

/** What the upstream of an agent's model says to one request. */
export type UpstreamReply = {
  /** The deltas of its stream. */
  deltas?: readonly Fields[]
  /** Why it ends; default: stop, or tool_calls where it calls something. */
  finish?: string
  usage?: { input: number; output: number; cached?: number; written?: number; reasoning?: number }
  /** Refuses the request with 400. */
  refusal?: string
  /** Answers whole, as upstreams do that do not stream. */
  isWhole?: boolean
  /** Sends its deltas and goes silent: before its end, until `closeSilent`. */
  isSilent?: boolean
  /** Sends its deltas and closes the connection without an end. */
  isBroken?: boolean
}

/** A body that an upstream got. */
type AskedBody = { messages: Fields[]; tools?: Fields[] } & Fields

/** A call as one delta, with further fields. */
export const callDelta = (id: string, name: string, args: unknown = {}, more: Fields = {}, index = 0): Fields => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: asJson(args) }, ...more }],
})

const asJson = (args: unknown) => (typeof args === 'string' ? args : JSON.stringify(args))

const usageOf = ({ input, output, cached, written, reasoning }: NonNullable<UpstreamReply['usage']>) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached ?? 0, ...(written && { cache_write_tokens: written }) },
  completion_tokens_details: { reasoning_tokens: reasoning ?? 0 },
})

const DEFAULT_USAGE = { input: 1_000, output: 20 }

function finishOf({ deltas = [], finish }: UpstreamReply): string {
  return finish ?? (deltas.some(({ tool_calls: calls }) => calls !== undefined) ? 'tool_calls' : 'stop')
}

function write(reply: UpstreamReply, res: ServerResponse, silent: ServerResponse[]): void {
  const { deltas = [], usage = DEFAULT_USAGE, isWhole, isSilent, isBroken, refusal } = reply
  if (refusal !== undefined) {
    res.writeHead(400, { 'content-type': 'application/json' })
    return void res.end(JSON.stringify({ error: { message: refusal, type: 'invalid_request_error' } }))
  }
  if (isWhole) {
    const message = Object.assign({ role: 'assistant' }, ...deltas)
    res.writeHead(200, { 'content-type': 'application/json' })
    return void res.end(
      JSON.stringify({ choices: [{ index: 0, message, finish_reason: finishOf(reply) }], usage: usageOf(usage) }),
    )
  }
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  res.write(sseEvent(streamChunk({ role: 'assistant', content: '', refusal: null })))
  for (const delta of deltas) res.write(sseEvent(streamChunk(delta)))
  if (isSilent) return void silent.push(res)
  if (isBroken) return void res.end()
  res.write(sseEvent(streamChunk({}, finishOf(reply))))
  res.end(sseEvent({ choices: [], usage: usageOf(usage) }) + sseEvent('[DONE]'))
}

/** Replies one after another, the last one to all further requests, and what was asked for each. */
export function scriptReplies(...replies: [UpstreamReply, ...UpstreamReply[]]) {
  const asked: AskedBody[] = []
  const silent: ServerResponse[] = []
  const handle: UpstreamHandler = async (req, res) => {
    const pieces: Buffer[] = []
    for await (const piece of req) pieces.push(piece as Buffer)
    const reply = replies[Math.min(asked.length, replies.length - 1)] ?? replies[0]
    asked.push(JSON.parse(Buffer.concat(pieces).toString('utf8')))
    write(reply, res, silent)
  }
  /** Closes the connections of silent replies. */
  const closeSilent = () => {
    for (const res of silent.splice(0)) res.destroy()
  }
  return { handle, asked, closeSilent }
}
