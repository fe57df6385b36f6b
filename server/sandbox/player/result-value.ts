import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import { endOfJson } from '../script/script'
import type { ShownCall } from './shown-calls'

/** The label of a long result: the number of its step, and where something was left out. */
const LABEL = /^\[step (\d{1,6})[^\n]*\n/

/** The step by which other tools find a call's result; null: it is so short that it names none. */
export function stepOfCall({ text }: ShownCall): number | null {
  const step = LABEL.exec(text)?.[1]
  return step === undefined ? null : Number(step)
}

/** The JSON of a result, without its label and the notes after it. Null: it has no JSON. */
export function resultValue(call: ShownCall | null): UnknownRecord | null {
  if (!call || call.failed) return null
  const text = call.text.replace(LABEL, '')
  const from = text.search(/[[{]/)
  const end = from < 0 ? -1 : endOfJson(text, from)
  if (end < 0) return null
  try {
    const value: unknown = JSON.parse(text.slice(from, end))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
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
