import { TollgateError } from './error.js'

/** A piece of a streamed completion. */
export type ChatChunk = {
  choices: { index: number; delta: { content?: string | null }; finish_reason: string | null }[]
  usage?: { prompt_tokens: number; completion_tokens: number } | null
  service?: { credits_charged: number }
}

/** The chunks of a stream. Throws TollgateError where it ends with an error, or without its end. */
export async function* readChunks({ body, status, headers }: Response): AsyncGenerator<ChatChunk> {
  const requestId = headers.get('x-request-id')
  let rest = ''
  for await (const text of (body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue
      if (line === 'data: [DONE]') return
      const chunk = JSON.parse(line.slice(6))
      if (chunk.error) throw new TollgateError(status, chunk, requestId, undefined)
      yield chunk
    }
  }
  throw new TollgateError(0, { error: 'The stream ended early.' }, requestId, undefined)
}
