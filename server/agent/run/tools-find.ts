import { z } from 'zod'
import { inputJsonSchema } from '../../tools/params'
import { agentOfTool } from '../agents'
import type { FunctionTool } from './builtin-tools'
import { TOOLS_CALL, TOOLS_FIND } from './loaded-tools'
import { modelSchema } from './model-schema'
import { nearestNames } from './nearest-name'
import type { AgentRun } from './state'
import type { StepOutcome } from './step-draft'
import { failedCall } from './tool-access'
import { callPriceText, callSignature } from './tool-texts'

/** Tools that one call finds at most. */
const MAX_FOUND = 8

const texts = z.union([z.string(), z.array(z.string())]).optional()
const Params = z.object({
  names: z.array(z.string()).optional().describe('Names of tools from the list, or parts of them such as site_'),
  words: z.string().optional().describe('Without names: what it should do, in English'),
})
/** What models send instead is understood too. */
const Given = z.object({ names: texts, words: texts, name: texts, query: texts })

/** The function that defines tools which a run has and its model was not sent yet. */
export const TOOLS_FIND_TOOL: FunctionTool = {
  type: 'function',
  function: {
    name: TOOLS_FIND,
    description: `Defines tools of the list, at most ${MAX_FOUND} a call, for free. They can be called from your next message on.`,
    parameters: modelSchema(inputJsonSchema(Params)),
  },
}

/**
 * The function that calls a tool which is not defined. Its input is a text, since some providers
 * refuse objects whose properties are not named.
 */
export const TOOLS_CALL_TOOL: FunctionTool = {
  type: 'function',
  function: {
    name: TOOLS_CALL,
    description: 'Calls a tool of the list, or result_read, that is not defined here.',
    parameters: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The tool' },
        input: { type: 'string', description: 'Its parameters, as one JSON object' },
      },
      required: ['name', 'input'],
    },
  },
}

const listOf = (value: z.infer<typeof texts>): string[] =>
  [value ?? []].flat().flatMap((text) => text.split(/[\s,]+/).filter(Boolean))

/** Finds tools of a run by names or parts of them, else by words. */
export function findTools(run: AgentRun, given: Record<string, unknown>): StepOutcome {
  const parsed = Given.safeParse(given)
  const names = parsed.success ? [...listOf(parsed.data.names), ...listOf(parsed.data.name)] : []
  const words = parsed.success ? [...listOf(parsed.data.words), ...listOf(parsed.data.query)] : []
  if (names.length + words.length === 0)
    return failedCall(
      'invalid_request',
      'Say which tools, as `names` from the list, or what they should do, as `words`.',
    )
  const named = names.length > 0 ? byNames(run, names) : { ids: byWords(run, words), unknown: [] }
  const ids = [...new Set(named.ids)].slice(0, MAX_FOUND)
  if (ids.length === 0) {
    const near = nearestNames(
      names.concat(words).join('_'),
      run.tools.map(({ id }) => id),
    )
    const hint = near.length > 0 ? ` The nearest are ${near.join(', ')}.` : ''
    return failedCall('unknown_tool', `No tool of this run fits. Choose names from the list.${hint}`)
  }
  const tools = ids.flatMap((id) => run.tools.find((tool) => tool.id === id) ?? [])
  return {
    output: {
      tools: tools.map((tool) => ({ name: tool.id, price: callPriceText(tool), call: callSignature(tool) })),
      ...(named.unknown.length > 0 && { unknown: named.unknown }),
    },
  }
}

/** Tools by their names, by the beginnings of these, and by the field that they belong to. */
function byNames({ tools }: AgentRun, names: readonly string[]): { ids: string[]; unknown: string[] } {
  const found = names.map((given) => {
    const name = given.toLowerCase().replace(/\*$/, '')
    const exact = tools.filter(({ id }) => id === name)
    if (exact.length > 0) return exact
    const part = name.endsWith('_') ? name.slice(0, -1) : name
    return tools.filter(({ id }) => id.startsWith(`${part}_`) || agentOfTool(id) === part)
  })
  return {
    ids: found.flat().map(({ id }) => id),
    unknown: names.filter((_, i) => found[i]?.length === 0),
  }
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []

/** Tools in whose names and texts most of the words begin a word. */
function byWords({ tools }: AgentRun, words: readonly string[]): string[] {
  const wanted = words.flatMap(wordsIn).map((word) => word.replace(/(?<=.{3})(s|ing|ed)$/, ''))
  const scored = tools.map((tool) => {
    const name = wordsIn(`${tool.id.replaceAll('_', ' ')} ${tool.label}`)
    const text = wordsIn(tool.description)
    const has = (list: readonly string[], word: string) => list.some((one) => one.startsWith(word))
    const score = wanted.reduce((sum, word) => sum + (has(name, word) ? 3 : has(text, word) ? 1 : 0), 0)
    return { id: tool.id, score }
  })
  const best = Math.max(1, ...scored.map(({ score }) => score))
  return scored
    .filter(({ score }) => score >= best / 2)
    .sort((a, b) => b.score - a.score)
    .map(({ id }) => id)
}
