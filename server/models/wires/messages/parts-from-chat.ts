import { invalidRequest } from '../../../errors'
import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'

/**
 * A chat message's content as blocks; texts without a character that prints are refused here, and
 * left out. Throws `invalid_request` for a part that cannot be carried.
 */
export function blocksFromChat(content: unknown): UnknownRecord[] {
  if (typeof content === 'string') return textBlock(content)
  return recordsIn(content).flatMap((part) => {
    const { cache_control: cache } = part
    return blockOf(part).map((block) => ({ ...block, ...(cache != null && { cache_control: cache }) }))
  })
}

const textBlock = (text: unknown): UnknownRecord[] =>
  typeof text === 'string' && text.trim() !== '' ? [{ type: 'text', text }] : []

function blockOf(part: UnknownRecord): UnknownRecord[] {
  switch (part.type) {
    case 'text':
      return textBlock(part.text)
    case 'refusal':
      return textBlock(part.refusal)
    case 'image_url':
      return [{ type: 'image', source: sourceOf(isRecord(part.image_url) ? part.image_url.url : part.image_url) }]
    case 'file':
      return [fileBlock(isRecord(part.file) ? part.file : {})]
    default: {
      const message = `content of type ${String(part.type)} is not supported by this model`
      throw invalidRequest([{ path: ['messages'], message }])
    }
  }
}

function fileBlock({ file_data: data, filename }: UnknownRecord): UnknownRecord {
  if (typeof data !== 'string') throw invalidRequest([{ path: ['messages'], message: 'a file must have file_data' }])
  return { type: 'document', source: sourceOf(data), ...(typeof filename === 'string' && { title: filename }) }
}

/** A URL as a source: a data: URI by its bytes. */
function sourceOf(url: unknown): UnknownRecord {
  const inline = typeof url === 'string' ? /^data:([^;,]+);base64,/.exec(url.slice(0, 200)) : null
  if (!inline || typeof url !== 'string') return { type: 'url', url }
  return { type: 'base64', media_type: inline[1], data: url.slice(inline[0].length) }
}
