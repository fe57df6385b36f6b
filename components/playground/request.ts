import { type AttachedImage, type ChatDraft, type ChatSettings, type ChatTurn, isInHistory } from './turn'

/** Largest body the service takes, bytes, less some for what surrounds the messages. */
export const MAX_PLAYGROUND_BODY_BYTES = 20 * 1024 * 1024 - 4096

type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }
type Message = { role: 'system' | 'user' | 'assistant'; content: string | Part[] }

/** A chat completion as the playground asks for it, in the wire format. */
export type PlaygroundRequest = {
  model: string
  messages: Message[]
  stream: true
  temperature?: number
  max_completion_tokens?: number
}

/** What is wrong with the settings, by field. */
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

function userMessage({ text, pictures }: ChatDraft): Message {
  if (pictures.length === 0) return { role: 'user', content: text }
  const seen = pictures.map(({ url }): Part => ({ type: 'image_url', image_url: { url } }))
  return { role: 'user', content: text === '' ? seen : [{ type: 'text', text }, ...seen] }
}

/** The request for a draft, after the turns that stand. */
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
        .flatMap(({ asked, pictures, text }): Message[] => [
          userMessage({ text: asked, pictures }),
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
  url.length > 200 ? `${url.slice(0, url.indexOf(',') + 1)}<the picture in base64>` : url

/** The same request to be read: long pictures are left out, and an empty draft asks something. */
export function previewPlaygroundRequest(
  settings: ChatSettings,
  turns: readonly ChatTurn[],
  draft: ChatDraft,
): PlaygroundRequest {
  const short = (pictures: readonly AttachedImage[]) => pictures.map((p) => ({ ...p, url: shortened(p.url) }))
  return buildPlaygroundRequest(
    settings,
    turns.map((turn) => ({ ...turn, pictures: short(turn.pictures) })),
    { text: draft.text || (draft.pictures.length > 0 ? '' : 'Hello'), pictures: short(draft.pictures) },
  )
}
