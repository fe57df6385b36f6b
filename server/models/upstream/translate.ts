import type { ChunkFacts, CompletionChunk, CompletionEvent, ModelRequest, WireAnswer } from '../completion'
import { readChatFacts } from '../wires/chat/upstream'
import type { UpstreamWire } from '../wires/wire'

type Asked = Pick<ModelRequest, 'wire'>

/** An upstream's answer as it came, or in chat form where the request is of another wire. */
export const translateAnswer = (json: CompletionChunk, wire: UpstreamWire, { wire: asked }: Asked): WireAnswer =>
  asked === wire.name ? { wire: asked, body: json } : { wire: 'chat', body: wire.toChatAnswer(json) }

/** An upstream's stream as it came, or in chat form where the request is of another wire. */
export function translateEvents(
  events: AsyncGenerator<CompletionEvent>,
  wire: UpstreamWire,
  { wire: asked }: Asked,
): AsyncGenerator<CompletionEvent> {
  return asked === wire.name ? events : inChatForm(events, wire)
}

async function* inChatForm(
  events: AsyncGenerator<CompletionEvent>,
  wire: UpstreamWire,
): AsyncGenerator<CompletionEvent> {
  const translate = wire.makeChatTranslator()
  for await (const event of events) {
    if (event.kind === 'error') yield event
    else yield* chatEvents(translate(event.chunk), event.facts)
  }
}

/**
 * The chunks that one of an upstream's became. What counts, texts and usage, is what the upstream
 * wrote; which choices end is what the chunks say. One that became nothing still counts.
 */
function chatEvents(chunks: readonly CompletionChunk[], { texts, usage, isLast }: ChunkFacts): CompletionEvent[] {
  const made = chunks.length > 0 ? chunks : [{ choices: [] }]
  return made.map((chunk, i) => {
    const facts = readChatFacts(chunk)
    const isFinal = i === made.length - 1
    return {
      kind: 'chunk',
      wire: 'chat',
      chunk,
      facts: {
        ...facts,
        texts: i === 0 ? texts : [],
        usage: facts.usage && (usage ?? facts.usage),
        isLast: isFinal && isLast === true,
      },
    }
  })
}
