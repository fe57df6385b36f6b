import { chatErrorBody, sendChatError } from './chat-error'
import { completionHandler } from './completion'
import { namedEvent, type StreamWriter } from './completion-stream'

/** How streams of chat completions end: with `[DONE]`, or with an `error` event. */
export const chatStreamWriter: StreamWriter = {
  writeError: (error) => namedEvent('error', chatErrorBody(error)),
  end: 'data: [DONE]\n\n',
}

/** `/api/v1/chat/completions`: the common chat-completions wire format, streamed or not. */
export const chatHandler = completionHandler({
  name: 'chat',
  procedure: 'public.chat',
  sendError: sendChatError,
  writer: chatStreamWriter,
})
