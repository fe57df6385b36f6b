import { uuidv7 } from '../../../kit/id'
import type { UnknownRecord } from '../../../kit/record'
import { type AnswerPiece, piecesOfDelta } from './delta-pieces'
import { isSignedHere, sealEnvelope, textFieldOf } from './reasoning'

export type BlockWriter = {
  /** The events of a delta. */
  write: (delta: UnknownRecord) => UnknownRecord[]
  /** The events that end the last blocks. */
  end: () => UnknownRecord[]
  /** True once the model has called a tool. */
  hasCalls: () => boolean
}

type OpenBlock = {
  key: string
  kind: AnswerPiece['kind']
  /** A thought whose text comes in a field of its own. */
  isPlain: boolean
  signature: ThinkingSignature | null
}

/**
 * Writes an answer in chat form as content blocks, one after the other. What belongs to another
 * block closes a text or thinking block; behind a tool call, which may go on, it waits for the end.
 */
export function makeBlockWriter(): BlockWriter {
  const waiting = new Map<string, AnswerPiece[]>()
  let open: OpenBlock | null = null
  let index = -1
  let calls = 0

  const close = (): UnknownRecord[] => {
    if (!open) return []
    const signature = open.signature?.written()
    open = null
    return [
      ...(signature ? [deltaEvent({ type: 'signature_delta', signature })] : []),
      { type: 'content_block_stop', index },
    ]
  }
  const deltaEvent = (delta: UnknownRecord) => ({ type: 'content_block_delta', index, delta })
  const start = (piece: AnswerPiece): UnknownRecord[] => {
    const closing = close()
    index++
    if (piece.kind === 'call') calls++
    const { key, kind } = piece
    const isThought = kind === 'thinking'
    open = { key, kind, isPlain: isThought && piece.field !== undefined, signature: isThought ? makeSignature() : null }
    return [...closing, { type: 'content_block_start', index, content_block: blockOf(piece) }]
  }
  const writeNow = (piece: AnswerPiece): UnknownRecord[] => {
    if (open && piece.kind === 'thinking' && isShown(open, piece)) {
      open.signature?.add(piece)
      return []
    }
    const starting = open?.key === piece.key ? [] : start(piece)
    if (piece.kind === 'thinking') open?.signature?.add(piece)
    const delta = deltaOf(piece)
    return delta ? [...starting, deltaEvent(delta)] : starting
  }
  const take = (piece: AnswerPiece): UnknownRecord[] => {
    if (open?.kind !== 'call' || open.key === piece.key) return writeNow(piece)
    waiting.set(piece.key, [...(waiting.get(piece.key) ?? []), piece])
    return []
  }
  return {
    write: (delta) => piecesOfDelta(delta).flatMap(take),
    end: () => {
      const late = [...waiting.values()].flatMap((pieces) => pieces.flatMap(writeNow))
      waiting.clear()
      return [...late, ...close()]
    },
    hasCalls: () => calls > 0 || [...waiting.keys()].some((key) => key.startsWith('call ')),
  }
}

/**
 * True for a detail of the open thought that adds no text to it: a signature, or, where the text
 * came by itself, the same once more.
 */
const isShown = (open: OpenBlock, { text, detail }: ThinkingPiece): boolean =>
  open.kind === 'thinking' && detail !== undefined && (text === '' || open.isPlain)

/** A block before its deltas. */
function blockOf(piece: AnswerPiece): UnknownRecord {
  switch (piece.kind) {
    case 'text':
      return { type: 'text', text: '' }
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' }
    case 'redacted':
      return { type: 'redacted_thinking', data: piece.data }
    case 'call':
      return { type: 'tool_use', id: piece.id || `toolu_${uuidv7()}`, name: piece.name, input: {} }
    default:
      return piece satisfies never
  }
}

function deltaOf(piece: AnswerPiece): UnknownRecord | null {
  if (piece.kind === 'redacted' || piece.text === '') return null
  if (piece.kind === 'text') return { type: 'text_delta', text: piece.text }
  if (piece.kind === 'thinking') return { type: 'thinking_delta', thinking: piece.text }
  return { type: 'input_json_delta', partial_json: piece.text }
}

type ThinkingPiece = Extract<AnswerPiece, { kind: 'thinking' }>
type ThinkingSignature = { add: (piece: ThinkingPiece) => void; written: () => string }

/** Collects what a thinking block was made from, for its signature. */
function makeSignature(): ThinkingSignature {
  let field: ThinkingPiece['field']
  const details = new Map<string, UnknownRecord>()
  const add = (piece: ThinkingPiece) => {
    field ??= piece.field
    if (!piece.detail) return
    const { detail } = piece
    const key = `${String(detail.type)} ${String(detail.index)}`
    const name = textFieldOf(detail)
    const known = details.get(key)
    const text = name ? { [name]: String(known?.[name] ?? '') + piece.text } : {}
    details.set(key, { ...known, ...withoutEmpty(detail), ...text })
  }
  const written = () => {
    const all = [...details.values()]
    const [only, ...others] = all
    if (only && others.length === 0 && typeof only.signature === 'string' && isAnthropic(only)) return only.signature
    if (all.length === 0) return sealEnvelope({ field: field ?? 'reasoning' })
    const texts = all.filter((detail) => textFieldOf(detail))
    // A text that is the block's own need not be there twice.
    return sealEnvelope({ details: texts.length === 1 ? all.map(withoutText) : all })
  }
  return { add, written }
}

const isAnthropic = ({ type, signature, format }: UnknownRecord) =>
  type === 'reasoning.text' &&
  (format == null || String(format).startsWith('anthropic')) &&
  isSignedHere({ type, signature })

const withoutEmpty = (detail: UnknownRecord) =>
  Object.fromEntries(Object.entries(detail).filter(([, value]) => value != null))

function withoutText(detail: UnknownRecord): UnknownRecord {
  const name = textFieldOf(detail)
  return name ? { ...detail, [name]: null } : detail
}
