import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { EMBEDDINGS_MAX_ITEMS, type EmbeddingsResponse } from '../api/public/embeddings'
import { vectorFromBase64 } from '../kit/vectors'
import { sendChatError } from './chat-error'
import { readCompletionBody } from './completion-body'
import { makeHandler } from './handler'
import { callProcedure } from './procedure'
import { sendJsonPieces } from './response'

/** Characters of numbers written before other requests have their turn. */
const PIECE = 256 * 1024

/** An answer as JSON text. Numbers are ten times as long as the base64 they come from. */
async function* writeEmbeddings({ format, body }: EmbeddingsResponse): AsyncGenerator<string> {
  const { data, ...rest } = body
  if (format === 'base64') return yield JSON.stringify(body)
  let text = `${JSON.stringify(rest).slice(0, -1)},"data":[`
  for (const [i, item] of data.entries()) {
    text += `${i > 0 ? ',' : ''}${JSON.stringify({ ...item, embedding: vectorFromBase64(item.embedding) })}`
    if (text.length < PIECE) continue
    yield text
    text = ''
    await yieldToEventLoop()
  }
  yield `${text}]}`
}

/** `/api/v1/embeddings`: the common embeddings wire format. */
export const embeddingsHandler = makeHandler(
  'embeddings',
  async (exchange) => {
    const answer = (await callProcedure(exchange, 'public.embeddings', {
      type: 'mutation',
      via: 'key',
      readInput: () => readCompletionBody(exchange, EMBEDDINGS_MAX_ITEMS),
    })) as EmbeddingsResponse
    return sendJsonPieces(writeEmbeddings(answer), exchange.headers())
  },
  { methods: ['POST'], sendError: sendChatError },
)
