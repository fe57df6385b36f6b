import { lastRound, withCall, withPart, withRound } from './answer'
import { MAX_PLAYGROUND_BODY_BYTES, type PlaygroundRequest } from './request'
import { roundMessages } from './round-messages'
import type { ToolCallRunner } from './run-tool-call'
import { readChatStreamParts } from './stream'
import { type ChatAnswer, newChatRound } from './turn'

/** Requests of one answer; the last one has no tools, so that it is text. */
const MAX_ROUNDS = 12

const TOO_LARGE = 'With its images this conversation is larger than the 20 MiB a request may have. Start a new one.'

export type Answering = Omit<ToolCallRunner, 'change'> & {
  /** The answer so far, and how to show what it became. */
  read: () => ChatAnswer
  update: (next: ChatAnswer) => void
}

/**
 * One answer: asks the model, runs the tools that it calls, and asks again with what they returned,
 * until it answers in words. Throws when it was stopped or the connection was lost.
 */
export async function answerMessage(request: PlaygroundRequest, to: Answering): Promise<void> {
  let { messages } = request
  const { tools, ...plain } = request
  for (let round = 1; ; round++) {
    await askModel({ ...plain, messages, ...(tools && round < MAX_ROUNDS && { tools }) }, to)
    const answer = to.read()
    const { calls } = lastRound(answer)
    if (answer.state === 'failed' || calls.length === 0) return
    const { runToolCall } = await import('./run-tool-call')
    for (const call of withIds(calls, to)) {
      await runToolCall(call, { ...to, change: (id, change) => to.update(withCall(to.read(), id, change)) })
    }
    messages = [...messages, ...roundMessages(lastRound(to.read()))]
    to.update({ ...to.read(), rounds: [...to.read().rounds, newChatRound()] })
  }
}

/** The calls, each with an id of its own, whatever the model named them. */
function withIds(calls: ReturnType<typeof lastRound>['calls'], { read, update }: Answering) {
  const known = new Set<string>()
  const named = calls.map((call, at) => {
    const id = call.id === '' || known.has(call.id) ? `call_${read().rounds.length}_${at}` : call.id
    known.add(id)
    return { ...call, id }
  })
  update(withRound(read(), { calls: named }))
  return named
}

async function askModel(request: PlaygroundRequest, { signal, read, update }: Answering): Promise<void> {
  const body = JSON.stringify(request)
  if (new Blob([body]).size > MAX_PLAYGROUND_BODY_BYTES)
    return update(withPart(read(), { kind: 'refused', message: TOO_LARGE }))
  const headers = { 'content-type': 'application/json' }
  const response = await fetch('/api/playground/chat', { method: 'POST', headers, body, signal })
  for await (const part of readChatStreamParts(response)) update(withPart(read(), part))
}
