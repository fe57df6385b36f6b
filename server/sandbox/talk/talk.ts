import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import { messagesWithoutNotes, messageText, splitScript } from '../script/script'

/** A conversation as the chat script sees it. */
export type Talk = ReturnType<typeof readTalk>

/** Longer messages are read as far as this: nobody asks a question later. */
const MAX_CHARS = 4_000

/** A message's text without its script, also where that cannot be read. */
function plainText(message: UnknownRecord): string {
  const text = messageText(message)
  try {
    return splitScript(text).rest.trim().slice(0, MAX_CHARS)
  } catch {
    return text.slice(0, text.indexOf('[[sandbox')).trim().slice(0, MAX_CHARS)
  }
}

const imagesIn = ({ content }: UnknownRecord): string[] =>
  recordsIn(content)
    .filter(({ type }) => type === 'image_url')
    .map(({ image_url: image }) => (isRecord(image) ? String(image.url) : String(image)))

/** Reads a request in chat form. */
export function readTalk(body: UnknownRecord) {
  const messages = messagesWithoutNotes(recordsIn(body.messages))
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const textsOf = (role: string, from: number, to?: number) =>
    messages
      .slice(from, to)
      .filter((message) => message.role === role)
      .map(plainText)
  return {
    /** The last message of the person, without a script, and the addresses of the images in it. */
    asked: plainText(messages[last] ?? {}),
    images: messages.flatMap(imagesIn),
    /** What the person said before, and what was answered, oldest first. */
    said: textsOf('user', 0, Math.max(0, last)).filter(Boolean),
    answered: textsOf('assistant', 0).filter(Boolean),
    /** What tools returned since, oldest first. */
    results: messages
      .slice(last + 1)
      .filter(({ role }) => role === 'tool')
      .map(messageText),
    model: String(body.model),
  }
}
