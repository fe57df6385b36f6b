import { invalidRequest } from '../../../errors'
import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { BodyPath, CompletionBody } from '../../completion'

/** Tools that the client runs: they cost nothing but tokens. */
const CLIENT_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom', 'namespace', 'local_shell', 'apply_patch'])

/**
 * True for a tool that the client runs. All others run at a provider, which asks a price of its own
 * for them.
 */
function isClientTool({ type, execution, environment }: UnknownRecord): boolean {
  if (type === 'tool_search') return execution === 'client'
  if (type === 'shell') return isRecord(environment) && environment.type === 'local'
  return CLIENT_TOOLS.has(type)
}

/** Items of a conversation that bring tools of their own. */
const hasTools = ({ tools }: UnknownRecord): boolean => Array.isArray(tools)

/**
 * A body without the tools that would run at a provider, wherever it names them. Throws
 * `invalid_request` where one of them is forced.
 */
export function withoutHostedTools(body: CompletionBody): CompletionBody {
  const { tools, input, tool_choice: choice } = body
  const kept = recordsIn(tools).filter(isClientTool)
  const left = kept.length + recordsIn(input).flatMap((item) => recordsIn(item.tools).filter(isClientTool)).length
  const isDropped = Array.isArray(tools) && tools.length > kept.length
  if (isDropped && left === 0 && choice === 'required')
    throw forced(['tool_choice'], 'no tool is left: those of the request')
  return {
    ...body,
    ...(Array.isArray(tools) && { tools: kept }),
    ...(Array.isArray(input) && {
      input: input.map((item) =>
        isRecord(item) && hasTools(item) ? { ...item, tools: recordsIn(item.tools).filter(isClientTool) } : item,
      ),
    }),
    ...(isRecord(choice) && { tool_choice: keptChoice(choice) }),
  }
}

function keptChoice(choice: UnknownRecord): UnknownRecord {
  if (choice.type !== 'allowed_tools') {
    // A choice names a tool by its type and name alone.
    if (isClientTool({ ...choice, execution: 'client', environment: { type: 'local' } })) return choice
    throw forced(['tool_choice', 'type'], String(choice.type))
  }
  const tools = recordsIn(choice.tools).filter(isClientTool)
  if (tools.length === 0) throw forced(['tool_choice', 'tools'], 'the allowed tools')
  return { ...choice, tools }
}

const forced = (path: BodyPath, what: string) =>
  invalidRequest([
    {
      path,
      message: `${what} run at the provider and are not passed on; describe a tool that you run yourself as a function`,
    },
  ])
