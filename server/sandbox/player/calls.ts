import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import { parseJson } from '../kit/text'
import { messageText, withoutNotes } from '../script/script'
import { linkTo, plainLine, shownNumber } from './chapter'
import { readShown } from './shown'

/** A call as the messages of a request show it, with its result. */
export type ShownCall = { name: string; args: UnknownRecord; text: string; failed: boolean }

/** A value that is a record; empty: it is something else. */
export const fieldsIn = (value: unknown): UnknownRecord => (isRecord(value) ? value : {})

/** A call as that of the tool which it reaches through another. */
function reached({ name, arguments: text }: UnknownRecord): Pick<ShownCall, 'name' | 'args'> {
  const args = fieldsIn(parseJson(text))
  return name === 'tools_call' ? reached({ name: args.name, arguments: args.input }) : { name: String(name), args }
}

/** Every call in these messages of a chat request; the text is empty where no result has come. */
export function shownCalls(messages: readonly UnknownRecord[]): ShownCall[] {
  const results = messages.filter(({ role }) => role === 'tool')
  return messages.flatMap(({ tool_calls: calls }) =>
    recordsIn(calls).flatMap(({ id, function: called }) => {
      if (!isRecord(called)) return []
      const result = results.find((message) => message.tool_call_id === id)
      const text = result ? withoutNotes(messageText(result)) : ''
      return [{ ...reached(called), text, failed: text.startsWith('Error (') }]
    }),
  )
}

/** The label of a long result: the number of its step, and where something was left out. */
const LABEL = /^\[step (\d{1,6})[^\n]*\n/

/** The step by which other tools find a call's result; null: it is so short that it names none. */
export function stepOfCall({ text }: ShownCall): number | null {
  const step = LABEL.exec(text)?.[1]
  return step === undefined ? null : Number(step)
}

/** A result without its label and the notes after it. Null: it has no fields. */
export function resultValue(call: ShownCall | null): UnknownRecord | null {
  if (!call || call.failed) return null
  const value = readShown(call.text.replace(LABEL, ''))
  return isRecord(value) ? value : null
}

/** The rows of a result, as far as they are shown. */
export const resultRows = (call: ShownCall | null): UnknownRecord[] => recordsIn(resultValue(call)?.rows)

/** Why a call failed, in the words of the service. */
export const failureOf = ({ text }: ShownCall): string => text.replace(/^Error \(\w+\): /, '').slice(0, 240)

/** True for a call that a person did not allow. */
export const wasRejected = ({ text }: ShownCall): boolean => text.startsWith('Error (rejected)')

/** A field that is a text; empty: it is something else. */
export const rowText = (row: UnknownRecord, name: string): string => {
  const value = row[name]
  return typeof value === 'string' ? value : ''
}

/** A field that is a number; null: it is something else. */
export const rowNumber = (row: UnknownRecord, name: string): number | null => {
  const value = row[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Fields as a report shows them: a text in a line, a number, and the title as a link. */
export const rowLine = (row: UnknownRecord, name: string, maxChars?: number): string =>
  plainLine(rowText(row, name), maxChars)
export const rowShown = (row: UnknownRecord, name: string): string => shownNumber(rowNumber(row, name))
export const rowLink = (row: UnknownRecord, untitled = ''): string =>
  linkTo(rowText(row, 'title') || untitled, rowText(row, 'url'))

/** Rows with the greatest number first. */
export const byNumber = (rows: readonly UnknownRecord[], field: string): UnknownRecord[] =>
  [...rows].sort((a, b) => (rowNumber(b, field) ?? 0) - (rowNumber(a, field) ?? 0))
