import { createHash } from 'node:crypto'
import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { CompletionBody } from '../../completion'

/** A tool of this wire behind a function of chat form. */
export type ToolOrigin = { kind: 'function' | 'custom' | 'local_shell'; name: string; namespace?: string }

export type NamedTool = { origin: ToolOrigin; chatName: string; tool: UnknownRecord }

const MAX_NAME = 64
const LOCAL_SHELL = 'local_shell'

/**
 * The name of a tool as a function of chat form: chat knows no namespaces, and names of 64
 * characters at most.
 */
export function chatNameOf({ name, namespace }: Pick<ToolOrigin, 'name' | 'namespace'>): string {
  if (!namespace) return name
  const whole = `${withoutLastUnderscores(namespace)}__${name}`
  if (whole.length <= MAX_NAME) return whole
  return `${whole.slice(0, MAX_NAME - 9)}_${createHash('sha256').update(whole).digest('hex').slice(0, 8)}`
}

function withoutLastUnderscores(text: string): string {
  let end = text.length
  while (text[end - 1] === '_') end--
  return text.slice(0, end)
}

function namedTools(tool: UnknownRecord, namespace?: string): NamedTool[] {
  const { type } = tool
  if (type === 'namespace') return recordsIn(tool.tools).flatMap((inner) => namedTools(inner, String(tool.name)))
  if (type !== 'function' && type !== 'custom' && type !== LOCAL_SHELL) return []
  const name = type === LOCAL_SHELL ? LOCAL_SHELL : String(tool.name)
  const origin: ToolOrigin = { kind: type, name, ...(namespace !== undefined && { namespace }) }
  return [{ origin, chatName: chatNameOf(origin), tool }]
}

/** The tools of a body that become functions of chat form, also those that its items bring. */
export function toolsByChatName({ tools, input }: CompletionBody): ReadonlyMap<string, NamedTool> {
  const given = [...recordsIn(tools), ...recordsIn(input).flatMap((item) => recordsIn(item.tools))]
  return new Map(given.flatMap((tool) => namedTools(tool)).map((named) => [named.chatName, named]))
}

/** Names a call's tool as a function of chat form. */
export const chatNameOfCall = ({ type, name, namespace }: UnknownRecord): string =>
  type === 'local_shell_call'
    ? LOCAL_SHELL
    : chatNameOf({ name: String(name), ...(typeof namespace === 'string' && { namespace }) })

/** The text that a function of chat form was called with in place of a custom tool's input. */
export function customInput(args: string): string {
  try {
    const json: unknown = JSON.parse(args)
    return isRecord(json) && typeof json.input === 'string' ? json.input : args
  } catch {
    return args
  }
}
