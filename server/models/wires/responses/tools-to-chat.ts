import { invalidRequest } from '../../../errors'
import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { CompletionBody } from '../../completion'
import { chatNameOfCall, type NamedTool, toolsByChatName } from './tool-names'

const NO_PARAMETERS = { type: 'object', properties: {} }

const LOCAL_SHELL_PARAMETERS = {
  type: 'object',
  properties: {
    command: { type: 'array', items: { type: 'string' }, description: 'The program and its arguments' },
    working_directory: { type: 'string' },
    timeout_ms: { type: 'integer' },
    env: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['command'],
}

/** What describes to a model without custom tools how the one text has to look. */
function customDescription({ description, format }: UnknownRecord): string {
  const grammar =
    isRecord(format) && format.type === 'grammar'
      ? `The text must match this ${String(format.syntax)} grammar:\n${String(format.definition)}`
      : ''
  return [description, 'Takes one text as its `input`, with nothing around it.', grammar].filter(Boolean).join('\n\n')
}

function functionOf({ origin, chatName: name, tool }: NamedTool): UnknownRecord {
  const { description, parameters, strict } = tool
  switch (origin.kind) {
    case 'function':
      return {
        name,
        ...(description != null && { description }),
        parameters: parameters ?? NO_PARAMETERS,
        ...(strict === true && { strict }),
      }
    case 'custom':
      return {
        name,
        description: customDescription(tool),
        parameters: {
          type: 'object',
          properties: { input: { type: 'string' } },
          required: ['input'],
          additionalProperties: false,
        },
      }
    case 'local_shell':
      return {
        name,
        description: 'Runs a command on the machine of the user and returns what it printed.',
        parameters: LOCAL_SHELL_PARAMETERS,
      }
    default:
      return origin.kind satisfies never
  }
}

/** Tools that only models of this wire know by their type. */
const FOREIGN: ReadonlySet<unknown> = new Set(['apply_patch', 'shell'])

/** The tools of a body, and the choice among them, in chat form. Throws `invalid_request`. */
export function responsesToolsToChat(body: CompletionBody): CompletionBody {
  const { tools, tool_choice: choice, parallel_tool_calls: isParallel } = body
  const foreign = recordsIn(tools).findIndex(({ type }) => FOREIGN.has(type))
  if (foreign >= 0) {
    const message = `${String(recordsIn(tools)[foreign]?.type)} is known only to models with the responses API; describe it as a function`
    throw invalidRequest([{ path: ['tools', foreign, 'type'], message }])
  }
  const allowed = allowedNames(choice)
  const named = [...toolsByChatName(body).values()].filter(({ chatName }) => allowed?.has(chatName) ?? true)
  if (named.length === 0) return {}
  const chosen = choiceToChat(choice)
  return {
    tools: named.map((tool) => ({ type: 'function', function: functionOf(tool) })),
    ...(chosen !== undefined && { tool_choice: chosen }),
    ...(isParallel === false && { parallel_tool_calls: false }),
  }
}

/** A tool named by a choice: its type is the tool's, not the call's. */
const chosenName = (tool: UnknownRecord) =>
  tool.type === 'local_shell' ? 'local_shell' : chatNameOfCall({ ...tool, type: undefined })

const allowedNames = (choice: unknown): ReadonlySet<string> | null =>
  isRecord(choice) && choice.type === 'allowed_tools' ? new Set(recordsIn(choice.tools).map(chosenName)) : null

function choiceToChat(choice: unknown): unknown {
  if (choice == null) return undefined
  if (!isRecord(choice)) return choice
  if (choice.type === 'allowed_tools') return choice.mode
  return { type: 'function', function: { name: chosenName(choice) } }
}
