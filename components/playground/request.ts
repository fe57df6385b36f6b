import { roundMessages } from './round-messages'
import {
  type AttachedImage,
  type ChatAnswer,
  type ChatDraft,
  type ChatSettings,
  type ChatTurn,
  isInHistory,
} from './turn'

/** Largest body the service accepts, bytes, less an allowance for what surrounds the messages. */
export const MAX_PLAYGROUND_BODY_BYTES = 20 * 1024 * 1024 - 4096

type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

export type PlaygroundMessage =
  | { role: 'system' | 'user'; content: string | Part[] }
  | { role: 'assistant'; content: string; tool_calls?: WireToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string }

type WireToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } }

/** A tool as a request describes it. */
export type OfferedChatTool = {
  type: 'function'
  function: { name: string; description: string; parameters: Record<string, unknown> }
}

/** The playground's chat completion request, in the wire format. */
export type PlaygroundRequest = {
  model: string
  messages: PlaygroundMessage[]
  tools?: readonly OfferedChatTool[]
  stream: true
  temperature?: number
  max_completion_tokens?: number
}

/** The errors of the settings, by field. */
export function checkChatSettings({ temperature, maxOutput, toolLimit }: ChatSettings): {
  temperature?: string
  maxOutput?: string
  toolLimit?: string
} {
  const t = Number(temperature)
  const isWhole = (text: string, least: number) => /^\d{1,9}$/.test(text.trim()) && Number(text) >= least
  return {
    ...(temperature.trim() !== '' && !(t >= 0 && t <= 2) && { temperature: 'A number from 0 to 2' }),
    ...(maxOutput.trim() !== '' && !isWhole(maxOutput, 1) && { maxOutput: 'A whole number of tokens' }),
    ...(toolLimit.trim() !== '' && !isWhole(toolLimit, 0) && { toolLimit: 'A whole number of credits' }),
  }
}

function userMessage({ text, images }: ChatDraft): PlaygroundMessage {
  if (images.length === 0) return { role: 'user', content: text }
  const imageParts = images.map(({ url }): Part => ({ type: 'image_url', image_url: { url } }))
  return { role: 'user', content: text === '' ? imageParts : [{ type: 'text', text }, ...imageParts] }
}

/** A model's own answer to a turn, or another one's where it was not asked; null: nobody did. */
function answerOf({ answers }: ChatTurn, model: string): ChatAnswer | null {
  const usable = answers.filter(isInHistory)
  return usable.find((answer) => answer.model === model) ?? usable[0] ?? null
}

/** The conversation before the next message, as a model had it. */
function historyOf(turns: readonly ChatTurn[], model: string): PlaygroundMessage[] {
  return turns.flatMap((turn) => {
    const answer = answerOf(turn, model)
    if (!answer) return []
    return [userMessage({ text: turn.message, images: turn.images }), ...answer.rounds.flatMap(roundMessages)]
  })
}

type Asked = { turns: readonly ChatTurn[]; draft: ChatDraft; tools?: readonly OfferedChatTool[] }

/** The request of one model for a draft, with the turns of the history. */
export function buildPlaygroundRequest(
  { system, temperature, maxOutput }: ChatSettings,
  model: string,
  { turns, draft, tools = [] }: Asked,
): PlaygroundRequest {
  return {
    model,
    messages: [
      ...(system.trim() === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...historyOf(turns, model),
      userMessage(draft),
    ],
    ...(tools.length > 0 && { tools }),
    stream: true,
    ...(temperature.trim() !== '' && { temperature: Number(temperature) }),
    ...(maxOutput.trim() !== '' && { max_completion_tokens: Number(maxOutput) }),
  }
}

/** Any text in place of an image's base64. */
function withImages(asked: Asked, replace: (url: string) => string): Asked {
  const change = (images: readonly AttachedImage[]) => images.map((image) => ({ ...image, url: replace(image.url) }))
  const { turns, draft } = asked
  return {
    ...asked,
    turns: turns.map((turn) => ({ ...turn, images: change(turn.images) })),
    draft: { ...draft, images: change(draft.images) },
  }
}

const shortened = (url: string) =>
  url.length > 200 ? `${url.slice(0, url.indexOf(',') + 1)}<the image in base64>` : url

/** The same request for display: without long images, and with a text for an empty draft. */
export function previewPlaygroundRequest(settings: ChatSettings, model: string, asked: Asked): PlaygroundRequest {
  const { draft, ...rest } = withImages(asked, shortened)
  const text = draft.text || (draft.images.length > 0 ? '' : 'Hello')
  return buildPlaygroundRequest(settings, model, { ...rest, draft: { ...draft, text } })
}

/** An image of this many characters costs as much as any larger one. */
const PRICED_IMAGE_CHARS = 8_000

/** The same request for its price: images as short as their price allows. */
export const pricedPlaygroundRequest = (settings: ChatSettings, model: string, asked: Asked): PlaygroundRequest =>
  buildPlaygroundRequest(
    settings,
    model,
    withImages(asked, (url) => url.slice(0, PRICED_IMAGE_CHARS)),
  )
