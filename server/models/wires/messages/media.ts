import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { BodyPath, CompletionBody, MediaRef } from '../../completion'

/** Every image and document in the messages of a body, also those in tool results. */
export const mediaInMessages = ({ messages }: CompletionBody): MediaRef[] =>
  recordsIn(messages).flatMap(({ role, content }, m) => mediaInBlocks(content, ['messages', m, 'content'], role))

const mediaInBlocks = (content: unknown, path: BodyPath, role: unknown): MediaRef[] =>
  recordsIn(content).flatMap((block, b) => mediaInBlock(block, [...path, b], role))

function mediaInBlock(block: UnknownRecord, path: BodyPath, role: unknown): MediaRef[] {
  if (block.type === 'tool_result') return mediaInBlocks(block.content, [...path, 'content'], role)
  if (block.type === 'container_upload') return [{ kind: 'file', path, wrong: 'is not supported here' }]
  if (block.type !== 'image' && block.type !== 'document') return []
  const kind = block.type === 'image' ? 'image' : 'file'
  const at = [...path, 'source']
  if (kind === 'image' && role !== 'user')
    return [{ kind, path, wrong: 'images are only allowed in messages of the role user' }]
  const { source } = block
  if (!isRecord(source)) return [{ kind, path: at, wrong: 'must be an object' }]
  if (source.type === 'url') return [{ kind, path: [...at, 'url'], url: source.url }]
  if (source.type === 'content') return mediaInBlocks(source.content, [...at, 'content'], role)
  if (source.type === 'text') return []
  if (source.type !== 'base64')
    return [
      { kind, path: [...at, 'type'], wrong: 'must be base64 or url: files kept by the provider are not supported' },
    ]
  return typeof source.data === 'string' && typeof source.media_type === 'string'
    ? [{ kind, path: at }]
    : [{ kind, path: at, wrong: 'must have media_type and data' }]
}
