import { invalidRequest } from '../../../errors'
import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { BodyPath } from '../../completion'

/** The error for a part or item that no other wire has. */
export const cannotCarry = (path: BodyPath, what: string) =>
  invalidRequest([{ path, message: `${what} cannot be sent to this model, whose provider speaks another API` }])

/** Parts as one text: what they say, one after another. */
export const textOfParts = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : recordsIn(content)
        .map(({ text, refusal }) => String(text ?? refusal ?? ''))
        .join('')

function partToChat(part: UnknownRecord, path: BodyPath): UnknownRecord {
  const { type } = part
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: part.text }
    case 'input_image':
      return {
        type: 'image_url',
        image_url: {
          url: part.image_url,
          ...(part.detail != null && { detail: part.detail === 'original' ? 'high' : part.detail }),
        },
      }
    case 'input_file': {
      const { file_data, filename, file_url } = part
      if (file_url != null) throw cannotCarry([...path, 'file_url'], 'a linked file (send file_data)')
      return { type: 'file', file: { ...(filename != null && { filename }), file_data } }
    }
    case 'input_audio':
      return { type: 'input_audio', input_audio: part.input_audio }
    default:
      throw cannotCarry([...path, 'type'], String(type))
  }
}

/** A content in chat form: a text where there is nothing else, or parts. */
export function contentToChat(content: unknown, path: BodyPath): string | UnknownRecord[] {
  if (typeof content === 'string') return content
  const parts = recordsIn(content).map((part, i) => partToChat(part, [...path, i]))
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' ? String(first.text) : parts
}

/** True for a part of chat form that is text. */
export const isTextPart = (part: unknown): boolean => isRecord(part) && part.type === 'text'
