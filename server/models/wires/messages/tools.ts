import { invalidRequest } from '../../../errors'
import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { CompletionBody } from '../../completion'

/** Tools that the caller runs and whose form the provider knows: they cost nothing but tokens. */
const CLIENT_TOOL = /^(bash|text_editor|computer|memory|browser|computer_toolset|browser_toolset)_\d{8}$/
const TOOL_SEARCH = /^tool_search_tool_/

const isCustom = ({ type }: UnknownRecord) => type == null || type === 'custom'

/**
 * True for a tool that the caller runs. All others run at the provider, at a price of their own.
 */
const isOfClient = (tool: UnknownRecord) => isCustom(tool) || CLIENT_TOOL.test(String(tool.type))

/**
 * A body without the tools that would run at the provider, and without what refers to them. Throws
 * `invalid_request` where one of them is forced.
 */
export function withoutServerTools(body: CompletionBody): CompletionBody {
  const given = recordsIn(body.tools)
  const dropped = given.filter((tool) => !isOfClient(tool))
  if (dropped.length === 0) return body
  const { tools: _tools, tool_choice: choice, ...rest } = body
  const forced =
    isRecord(choice) && choice.type === 'tool' ? dropped.find(({ name }) => name === choice.name) : undefined
  if (forced) {
    const message = `forces ${String(forced.type)}, which runs at the provider; such tools are not passed on`
    throw invalidRequest([{ path: ['tool_choice', 'name'], message }])
  }
  const isSearchDropped = dropped.some(({ type }) => TOOL_SEARCH.test(String(type)))
  const kept = given.filter(isOfClient).map(({ allowed_callers: _callers, defer_loading: isDeferred, ...tool }) => ({
    ...tool,
    // Nothing could find a tool that is loaded later.
    ...(isDeferred !== undefined && !isSearchDropped && { defer_loading: isDeferred }),
  }))
  return kept.length === 0 ? rest : { ...rest, tools: kept, ...(choice != null && { tool_choice: choice }) }
}

/** Tools and the choice among them, as chat completions have them. Throws `invalid_request`. */
export function toolsToChat({ tools, tool_choice: choice }: CompletionBody): CompletionBody {
  const given = recordsIn(tools)
  const foreign = given.findIndex((tool) => !isCustom(tool))
  if (foreign >= 0) {
    const message = `${String(given[foreign]?.type)} is known only to models with the messages API; describe it with name and input_schema`
    throw invalidRequest([{ path: ['tools', foreign, 'type'], message }])
  }
  if (given.length === 0) return {}
  return {
    tools: given.map(({ name, description, input_schema: parameters, strict }) => ({
      type: 'function',
      function: {
        name,
        ...(description != null && { description }),
        parameters,
        ...(strict === true && { strict }),
      },
    })),
    ...(isRecord(choice) && { tool_choice: choiceToChat(choice) }),
    ...(isRecord(choice) && choice.disable_parallel_tool_use === true && { parallel_tool_calls: false }),
  }
}

function choiceToChat({ type, name }: UnknownRecord): unknown {
  if (type === 'any') return 'required'
  return type === 'tool' ? { type: 'function', function: { name } } : type
}

/** A chat body's tools in this wire. Throws `invalid_request` for tools that are not functions. */
export function toolsFromChat(body: CompletionBody): CompletionBody {
  const given = recordsIn(body.tools)
  const foreign = given.findIndex((tool) => !isRecord(tool.function))
  if (foreign >= 0)
    throw invalidRequest([{ path: ['tools', foreign, 'type'], message: 'must be function for this model' }])
  const tools = given.map(({ function: called, cache_control: cache }) => {
    const { name, description, parameters, strict } = called as UnknownRecord
    return {
      name,
      ...(description != null && { description }),
      input_schema: isRecord(parameters) ? { type: 'object', ...parameters } : { type: 'object' },
      ...(strict === true && { strict }),
      ...(cache != null && { cache_control: cache }),
    }
  })
  if (tools.length === 0) return pastTools(body)
  const choice = choiceFromChat(body)
  return { tools, ...(choice && { tool_choice: choice }) }
}

/** A body with calls in its messages needs their tools, also where no more may be made. */
function pastTools({ messages }: CompletionBody): CompletionBody {
  const calls = recordsIn(messages).flatMap(({ tool_calls: made }) => recordsIn(made))
  const names = new Set(calls.map((call) => (isRecord(call.function) ? call.function.name : undefined)))
  names.delete(undefined)
  if (names.size === 0) return {}
  const tools = [...names].map((name) => ({ name, input_schema: { type: 'object' } }))
  return { tools, tool_choice: { type: 'none' } }
}

function choiceFromChat({
  tool_choice: choice,
  parallel_tool_calls: isParallel,
}: CompletionBody): UnknownRecord | null {
  const one = isParallel === false && { disable_parallel_tool_use: true }
  if (choice === 'none') return { type: 'none' }
  if (choice === 'required') return { type: 'any', ...one }
  if (isRecord(choice) && isRecord(choice.function)) return { type: 'tool', name: choice.function.name, ...one }
  return one ? { type: 'auto', ...one } : null
}
