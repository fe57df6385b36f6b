import { isRecord, type UnknownRecord } from '../../../kit/record'
import { itemAdded, itemDone, type OpenItem, type ResponseEvent } from './event'
import { customInput, type ToolOrigin } from './tool-names'

export type OpenCall = OpenItem & { add: (args: string) => ResponseEvent[] }

type CallAt = { id: string; callId: string; place: number }

const nameOf = ({ name, namespace }: ToolOrigin) => ({ name, ...(namespace !== undefined && { namespace }) })

/** Writes the call of a function: its arguments as they come. */
function openFunctionCall(origin: ToolOrigin, { id, callId, place }: CallAt): OpenCall {
  let args = ''
  const at = { item_id: id, output_index: place }
  const item = (status: string): UnknownRecord => ({
    id,
    type: 'function_call',
    status,
    call_id: callId,
    ...nameOf(origin),
    arguments: args,
  })
  const add = (piece: string): ResponseEvent[] => {
    args += piece
    return [{ type: 'response.function_call_arguments.delta', ...at, delta: piece }]
  }
  return {
    place,
    begin: () => [itemAdded(place, item('in_progress'))],
    add,
    end: (status) => {
      // No arguments are an empty object here.
      const filled = args.trim() === '' ? add('{}') : []
      const done = { type: 'response.function_call_arguments.done', ...at, name: origin.name, arguments: args }
      return { events: [...filled, done, itemDone(place, item(status))], item: item(status) }
    },
  }
}

/**
 * Writes the call of a tool that was a function to the model alone: what it was called with is
 * known at its end.
 */
function openOtherCall(at: CallAt, itemOf: (args: string, status: string) => UnknownRecord): OpenCall {
  let args = ''
  const { id, place } = at
  return {
    place,
    begin: () => [itemAdded(place, itemOf('', 'in_progress'))],
    add: (piece) => {
      args += piece
      return []
    },
    end: (status) => {
      const item = itemOf(args, status)
      const where = { item_id: id, output_index: place }
      const { input } = item
      const pieces =
        input === undefined
          ? []
          : [
              { type: 'response.custom_tool_call_input.delta', ...where, delta: input },
              { type: 'response.custom_tool_call_input.done', ...where, input },
            ]
      return { events: [...pieces, itemDone(place, item)], item }
    },
  }
}

function shellAction(args: string): UnknownRecord {
  let given: unknown
  try {
    given = JSON.parse(args)
  } catch {
    given = null
  }
  const { command, ...rest } = isRecord(given) ? given : {}
  return { type: 'exec', command: Array.isArray(command) ? command.map(String) : [], env: {}, ...rest }
}

/** Writes a call of the tool that stands behind a function of chat form. */
export function openCall(origin: ToolOrigin, at: CallAt): OpenCall {
  const { id, callId } = at
  switch (origin.kind) {
    case 'function':
      return openFunctionCall(origin, at)
    case 'custom':
      return openOtherCall(at, (args, status) => ({
        id,
        type: 'custom_tool_call',
        status,
        call_id: callId,
        ...nameOf(origin),
        input: args === '' ? '' : customInput(args),
      }))
    case 'local_shell':
      return openOtherCall(at, (args, status) => ({
        id,
        type: 'local_shell_call',
        status,
        call_id: callId,
        action: shellAction(args),
      }))
    default:
      return origin.kind satisfies never
  }
}
