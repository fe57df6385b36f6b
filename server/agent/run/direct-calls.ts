import { isRecord } from '../../kit/record'
import type { AnyTool } from '../../tools/define'
import { TOOLS_CALL } from './loaded-tools'
import { sureName } from './nearest-name'
import type { AgentRun } from './state'
import { parseToolArguments } from './tool-access'

type MadeCall = { name: string; arguments: string }

/**
 * A call as that of the tool which it is meant for: what `tools_call` names, and a name that does
 * not exist but is nearly that of a tool which only reads, and takes the parameters as they are.
 */
export function directCall({ tools }: Pick<AgentRun, 'tools'>, made: MadeCall): MadeCall {
  const call = made.name === TOOLS_CALL ? namedIn(made) : made
  const near = sureName(
    call.name,
    tools.map(({ id }) => id),
  )
  const tool = near === call.name ? undefined : tools.find(({ id }) => id === near)
  return tool?.annotations.readOnly && takes(tool, call) ? { ...call, name: tool.id } : call
}

const takes = ({ params }: AnyTool, call: MadeCall): boolean =>
  params.safeParse(parseToolArguments(call.arguments)).success

/** The call that the arguments of `tools_call` describe; the same where they name no tool. */
function namedIn(made: MadeCall): MadeCall {
  const given = parseToolArguments(made.arguments)
  const { name, input, ...more } = given ?? {}
  if (typeof name !== 'string' || name.trim() === '') return made
  const [wrapped = input] = [more.arguments, more.parameters].filter((value) => value !== undefined)
  // Some put the parameters beside the name.
  const params = wrapped ?? more
  return {
    name: name.trim(),
    arguments: typeof params === 'string' ? params : JSON.stringify(isRecord(params) ? params : {}),
  }
}
