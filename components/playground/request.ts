import { type AttachedImage, type ChatDraft, type ChatSettings, type ChatTurn, isInHistory } from './turn'

/** Largest body the service accepts, bytes, less an allowance for what surrounds the messages. */
export const MAX_PLAYGROUND_BODY_BYTES = 20 * 1024 * 1024 - 4096

type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }
type Message = { role: 'system' | 'user' | 'assistant'; content: string | Part[] }

/** The playground's chat completion request, in the wire format. */
export type PlaygroundRequest = {
  model: string
  messages: Message[]
  stream: true
  temperature?: number
  max_completion_tokens?: number
}

/** The errors of the settings, by field. */
export function checkChatSettings({ temperature, maxOutput }: ChatSettings): {
  temperature?: string
  maxOutput?: string
} {
  const t = Number(temperature)
  return {
    ...(temperature.trim() !== '' && !(t >= 0 && t <= 2) && { temperature: 'A number from 0 to 2' }),
    ...(maxOutput.trim() !== '' &&
      !/^[1-9]\d{0,8}$/.test(maxOutput.trim()) && { maxOutput: 'A whole number of tokens' }),
  }
}

function userMessage({ text, images }: ChatDraft): Message {
  if (images.length === 0) return { role: 'user', content: text }
  const imageParts = images.map(({ url }): Part => ({ type: 'image_url', image_url: { url } }))
  return { role: 'user', content: text === '' ? imageParts : [{ type: 'text', text }, ...imageParts] }
}

/** The request for a draft, with the turns of the history. */
export function buildPlaygroundRequest(
  settings: ChatSettings,
  turns: readonly ChatTurn[],
  draft: ChatDraft,
): PlaygroundRequest {
  const { model, system, temperature, maxOutput } = settings
  return {
    model,
    messages: [
      ...(system.trim() === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...turns
        .filter(isInHistory)
        .flatMap(({ message, images, text }): Message[] => [
          userMessage({ text: message, images }),
          { role: 'assistant', content: text },
        ]),
      userMessage(draft),
    ],
    stream: true,
    ...(temperature.trim() !== '' && { temperature: Number(temperature) }),
    ...(maxOutput.trim() !== '' && { max_completion_tokens: Number(maxOutput) }),
  }
}

const shortened = (url: string) =>
  url.length > 200 ? `${url.slice(0, url.indexOf(',') + 1)}<the image in base64>` : url

/** The same request for display: without long images, and with a text for an empty draft. */
export function previewPlaygroundRequest(
  settings: ChatSettings,
  turns: readonly ChatTurn[],
  draft: ChatDraft,
): PlaygroundRequest {
  const short = (images: readonly AttachedImage[]) => images.map((p) => ({ ...p, url: shortened(p.url) }))
  return buildPlaygroundRequest(
    settings,
    turns.map((turn) => ({ ...turn, images: short(turn.images) })),
    { text: draft.text || (draft.images.length > 0 ? '' : 'Hello'), images: short(draft.images) },
  )
}
