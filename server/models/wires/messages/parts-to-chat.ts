import { invalidRequest } from '../../../errors'
import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { BodyPath } from '../../completion'

const textPart = (text: string): UnknownRecord => ({ type: 'text', text })

/** The text of parts, a blank line between two. */
export const joinTextParts = (parts: readonly UnknownRecord[]): string =>
  parts.map(({ text }) => String(text)).join('\n\n')

/**
 * A content block as parts of a chat message. Throws `invalid_request` for what chat cannot carry.
 */
export function partsToChat(block: UnknownRecord, path: BodyPath): UnknownRecord[] {
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' && block.text !== '' ? [textPart(block.text)] : []
    case 'image':
      return [{ type: 'image_url', image_url: { url: imageUrl(block.source) } }]
    case 'document':
      return documentToChat(block, path)
    case 'search_result':
      return [textPart(searchResultText(block))]
    case 'tool_reference':
      return [textPart(`The tool ${String(block.tool_name)} is available.`)]
    default:
      throw notCarried(path, `a block of type ${String(block.type)}`)
  }
}

const notCarried = (path: BodyPath, what: string) =>
  invalidRequest([{ path, message: `${what} is known only to models with the messages API` }])

function imageUrl(source: unknown): unknown {
  if (!isRecord(source)) return undefined
  return source.type === 'url' ? source.url : `data:${String(source.media_type)};base64,${String(source.data)}`
}

function documentToChat({ source, title, context }: UnknownRecord, path: BodyPath): UnknownRecord[] {
  const { type, media_type: media, data, content } = isRecord(source) ? source : {}
  if (type === 'base64') {
    const filename = typeof title === 'string' && title !== '' ? title : 'document.pdf'
    return [{ type: 'file', file: { filename, file_data: `data:${String(media)};base64,${String(data)}` } }]
  }
  if (type === 'url') throw notCarried([...path, 'source', 'type'], 'a document at a URL')
  const head = [title, context].filter((text) => typeof text === 'string' && text !== '').join('\n')
  const inside =
    type === 'content' && typeof content !== 'string'
      ? recordsIn(content).flatMap((each, i) => partsToChat(each, [...path, 'source', 'content', i]))
      : [textPart(String((type === 'content' ? content : data) ?? ''))]
  return [textPart(head === '' ? '<document>' : `<document>\n${head}`), ...inside, textPart('</document>')]
}

const searchResultText = ({ title, source, content }: UnknownRecord): string =>
  [title, source, ...recordsIn(content).map(({ text }) => text)].map((text) => String(text ?? '')).join('\n')
