import { isRecord, type UnknownRecord } from '../../kit/record'
import { mergeField } from './reply-fields'

/** A call in the making, and its `index` in the stream. */
type OpenCall = { at: number | undefined; call: UnknownRecord }

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const nameOf = ({ function: called }: UnknownRecord): unknown => (isRecord(called) ? called.name : undefined)

/**
 * The call that a piece belongs to. Most providers number them; some send the number 0 with every
 * call, or no number, so that a second id begins a second call.
 */
function openCallOf(calls: readonly OpenCall[], piece: UnknownRecord, at: number | undefined): OpenCall | undefined {
  const known = at === undefined ? calls.at(-1) : calls.findLast((each) => each.at === at)
  if (!known || !isText(piece.id))
    return at === undefined && isText(nameOf(piece)) && known && nameOf(known.call) ? undefined : known
  if (!isText(known.call.id) || known.call.id === piece.id) return known
  return calls.find(({ call }) => call.id === piece.id)
}

const joinName = (known: unknown, piece: unknown): unknown =>
  isText(known) && isText(piece) && known !== piece ? known + piece : isText(piece) ? piece : known

function mergeFunction(known: UnknownRecord, { name, arguments: args, ...more }: UnknownRecord): UnknownRecord {
  for (const [field, value] of Object.entries(more)) mergeField(known, field, value)
  const text = typeof args === 'string' ? args : args == null ? '' : JSON.stringify(args)
  return { ...known, name: joinName(known.name, name), arguments: `${known.arguments ?? ''}${text}` }
}

/** Adds a piece of a call, with every field that it has; `at` is its number in the stream. */
export function addCallPiece(
  calls: OpenCall[],
  { index: _index, ...piece }: UnknownRecord,
  at: number | undefined,
): void {
  let open = openCallOf(calls, piece, at)
  if (!open) {
    open = { at, call: {} }
    calls.push(open)
  }
  const { call } = open
  const { id, type, function: called, ...more } = piece
  if (isText(id)) call.id ??= id
  call.type ??= type ?? 'function'
  if (isRecord(called)) call.function = mergeFunction(isRecord(call.function) ? call.function : {}, called)
  for (const [field, value] of Object.entries(more)) mergeField(call, field, value)
}

export type OpenCalls = OpenCall[]

/** The calls that name a function: no other can be made or answered. */
export const completeCalls = (calls: readonly OpenCall[]): UnknownRecord[] =>
  calls.map(({ call }) => call).filter((call) => isText(nameOf(call)))
