import type { WireCall } from '../wire'
import { type ChatRequest, readChatRequest } from './request'
import { completionId, openChatStream } from './stream'
import { writeUsage } from './usage'

/** A chat-completions request, and how its answer is written. Throws `invalid_request`. */
export function chatWireCall(given: ChatRequest): WireCall {
  const request = readChatRequest(given)
  const { model, limit } = request
  const includeUsage = given.stream_options?.include_usage === true
  return {
    request,
    writeAnswer: ({ body: answer }, { estimated, usage }, id) => ({
      ...answer,
      id: completionId(id),
      model,
      usage: estimated ? writeUsage(usage) : answer.usage,
    }),
    openStream: (id) => openChatStream({ id: completionId(id), model, n: limit.n, includeUsage }),
  }
}
