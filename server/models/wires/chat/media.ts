import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { BodyPath, CompletionBody, MediaRef } from '../../completion'

/** Schemes that the URL parser accepts with any number of slashes, and with backslashes. */
const SPECIAL = /^(https?|wss?|ftp|file):$/

/** True for a complete URL in any notation, false for a word with a colon in it. */
function isUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, href } = new URL(text)
  return SPECIAL.test(protocol) || href.startsWith(`${protocol}//`)
}

/**
 * True for an image in any form that a provider might read. Only the common form is allowed.
 */
const isImage = (part: UnknownRecord): boolean => part.image_url !== undefined || /image/i.test(String(part.type))

/** Every image and file in the messages of a chat body, in their order. */
export const mediaInChat = ({ messages }: CompletionBody): MediaRef[] =>
  recordsIn(messages).flatMap(({ role, content }, m) =>
    recordsIn(content).flatMap((part, p) => {
      const path = ['messages', m, 'content', p]
      if (isImage(part)) return [imageIn(part, role, path)]
      return part.type === 'text' ? [] : urlsIn(part, path).map((ref) => ({ ...ref, part: path }))
    }),
  )

function imageIn(part: UnknownRecord, role: unknown, path: BodyPath): MediaRef {
  if (part.type !== 'image_url')
    return { kind: 'image', path: [...path, 'type'], wrong: 'an image must be a part of type image_url' }
  const { image_url: image } = part
  const [url, at] = isRecord(image) ? [image.url, [...path, 'image_url', 'url']] : [image, [...path, 'image_url']]
  if (role !== 'user') return { kind: 'image', path: at, wrong: 'images are only allowed in messages of the role user' }
  return { kind: 'image', path: at, url }
}

/** Every URL in a part of another kind, such as a video or a document, at any depth. */
function urlsIn(value: unknown, path: BodyPath): MediaRef[] {
  if (typeof value === 'string') return isUrl(value) ? [{ kind: 'file', path, url: value }] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    urlsIn(each, [...path, Array.isArray(value) ? Number(name) : name]),
  )
}
