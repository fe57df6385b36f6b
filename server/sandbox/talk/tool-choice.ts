import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import { contentWords } from '../prose/topic'
import type { ScriptStep } from '../script/script'
import { fillSchema, valuesFor } from './arguments'

type Offered = { name: string; description: string; parameters: unknown }
type Calls = NonNullable<ScriptStep['toolCalls']>

const offeredTools = (body: UnknownRecord): Offered[] =>
  recordsIn(body.tools).flatMap(({ function: f }) =>
    isRecord(f) && typeof f.name === 'string'
      ? [{ name: f.name, description: String(f.description ?? ''), parameters: f.parameters ?? {} }]
      : [],
  )

/** Parts of names that say nothing about what a tool is for. */
const PLAIN = new Set('get list fetch do call make tool function api mcp current my new'.split(' '))

/** What people say in place of the word that tools have in their names. */
const SAME: readonly [RegExp, string][] = [
  [/\b(?:temperature|forecast|rain|sunny|warm|cold)\b/gi, 'weather'],
  [/\b(?:how much (?:is|are|does|do)|worth|costs?)\b/gi, 'price'],
  [/\b(?:look up|google|latest|news about|find)\b/gi, 'search'],
  [/\b(?:draw|illustration|photo)\b/gi, 'image'],
  [/\b(?:bitcoin|ethereum|btc|eth|coins?)\b/gi, 'crypto coin'],
  [/\b(?:open|visit)\b/gi, 'read'],
  [/\bwork out\b/gi, 'calculate'],
]

const stem = (word: string): string => word.toLowerCase().replace(/(?:ing|ed|es|s)$/, '')

const wordsIn = (text: string): string[] =>
  text
    .replaceAll(/[^\p{L}\p{N}\s]/gu, ' ')
    .split(/\s+/)
    .filter((word) => word.length > 1)

/** The words of a text that say what it is about. */
const stemsOf = (text: string): Set<string> => new Set(contentWords(wordsIn(text).join(' ')).map(stem))

/** How well a tool fits a question: words of its name count double. */
function scoreOf({ name, description }: Offered, asked: string): number {
  const meant = SAME.reduce((text, [pattern, word]) => (text.search(pattern) < 0 ? text : `${text} ${word}`), asked)
  const said = new Set(wordsIn(meant).map(stem))
  const words = stemsOf(meant)
  if (asked.toLowerCase().includes(name.toLowerCase()) && name.length > 3) return 10
  const parts = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => !PLAIN.has(part.toLowerCase()))
    .map(stem)
  const named = parts.filter((part) => said.has(part)).length
  const described = [...stemsOf(description.slice(0, 300))].filter((word) => words.has(word)).length
  return named * 2 + Math.min(described, 2)
}

const bestTool = (tools: readonly Offered[], asked: string): { tool: Offered; score: number } | undefined =>
  tools.map((tool) => ({ tool, score: scoreOf(tool, asked) })).sort((a, b) => b.score - a.score)[0]

const requiredOf = (schema: unknown): unknown[] =>
  isRecord(schema) && Array.isArray(schema.required) ? schema.required : []

/** Fewer shared words are chance. */
const MIN_SCORE = 2

/** The call that a question wants: none where no tool fits, or it lacks what the tool must know. */
export function wantedCalls(body: UnknownRecord, asked: string): Calls {
  if (body.tool_choice === 'none') return []
  const best = bestTool(offeredTools(body), asked)
  if (!best || best.score < MIN_SCORE) return []
  const { name, parameters } = best.tool
  const values = valuesFor(parameters, asked)
  return requiredOf(parameters).every((field) => Object.hasOwn(values, String(field)))
    ? [{ name, arguments: values }]
    : []
}

/** The call that the request forces: of a named tool, or with `required` of the best fitting. */
export function forcedCalls(body: UnknownRecord, asked: string): Calls {
  const { tool_choice: choice } = body
  const tools = offeredTools(body)
  const named = isRecord(choice) && isRecord(choice.function) ? choice.function.name : undefined
  const tool = choice === 'required' ? bestTool(tools, asked)?.tool : tools.find(({ name }) => name === named)
  if (!tool) return []
  const filled = fillSchema(tool.parameters, asked)
  return [{ name: tool.name, arguments: isRecord(filled) ? filled : {} }]
}
