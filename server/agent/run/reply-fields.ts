import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'

/** Names of fields whose texts come in pieces. */
const TEXT = /content|reasoning|thinking|refusal|text|summary/

/** True for what says nothing: many providers send every field they know with every piece. */
export const saysNothing = (value: unknown): boolean =>
  value == null || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Merges the next piece of a field into what came before: texts and lists grow, the rest is
 * replaced.
 */
export function mergeField(into: UnknownRecord, field: string, piece: unknown): void {
  if (saysNothing(piece)) return
  const known = into[field]
  if (typeof known === 'string' && typeof piece === 'string') into[field] = TEXT.test(field) ? known + piece : piece
  else if (Array.isArray(known) && Array.isArray(piece)) into[field] = [...known, ...piece]
  else if (isRecord(known) && isRecord(piece)) into[field] = { ...known, ...piece }
  else into[field] = piece
}

/** True where a piece continues a part: the same type, and no other id or index. */
const isContinued = (known: UnknownRecord, piece: UnknownRecord): boolean =>
  known.type === piece.type &&
  ['index', 'id'].every((name) => piece[name] == null || known[name] == null || known[name] === piece[name])

/**
 * Content as a text, or as parts where the provider sends those: a part's text comes in pieces too.
 */
export function joinContent(known: unknown, piece: unknown): unknown {
  if (saysNothing(piece)) return known
  if (saysNothing(known)) return piece
  if (typeof known === 'string' && typeof piece === 'string') return known + piece
  const parts = asParts(known)
  for (const part of asParts(piece)) {
    const last = parts.at(-1)
    if (last && isContinued(last, part)) parts[parts.length - 1] = joinPart(last, part)
    else parts.push(part)
  }
  return parts
}

const asParts = (content: unknown): UnknownRecord[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : recordsIn(content).map((part) => ({ ...part }))

function joinPart(known: UnknownRecord, piece: UnknownRecord): UnknownRecord {
  const made = { ...known }
  for (const [field, value] of Object.entries(piece)) {
    if (field === 'type') continue
    if (Array.isArray(made[field]) && Array.isArray(value)) made[field] = joinContent(made[field], value)
    else mergeField(made, field, value)
  }
  return made
}

/**
 * Adds pieces of `reasoning_details`. A detail's text comes in pieces with its index, and its
 * signature after that; what is encrypted comes whole, several under one index.
 */
export function addDetails(details: UnknownRecord[], pieces: unknown): void {
  for (const piece of recordsIn(pieces)) {
    const known = details.findLast(
      (detail) => isContinued(detail, piece) && (detail.data == null || piece.data == null),
    )
    if (!known) details.push({ ...piece })
    else for (const [field, value] of Object.entries(piece)) mergeDetail(known, field, value)
  }
}

function mergeDetail(detail: UnknownRecord, field: string, value: unknown): void {
  if (field !== 'type' && field !== 'index') mergeField(detail, field, value)
}
