import { isRecord } from '../../kit/record'
import type { AnyTool } from '../../tools/define'
import { ASK_USER, PRESENT_PLAN } from './builtin-tools'
import { nearestNames } from './nearest-name'
import { readPlan } from './plan'
import { type AgentRun, canUseTools } from './state'
import type { StepOutcome } from './step-draft'
import { callSignature } from './tool-texts'

/**
 * A call's arguments; null where they are not a JSON object. An empty text stands for no arguments,
 * and a text that is itself JSON for what it says.
 */
export function parseToolArguments(text: string): Record<string, unknown> | null {
  try {
    const given: unknown = text.trim() === '' ? {} : JSON.parse(text)
    const value: unknown = typeof given === 'string' ? JSON.parse(given) : given
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** Characters that are shown of broken arguments, before and after the place. */
const AROUND = { before: 160, after: 80 }

/** What is wrong with arguments that are not a JSON object, with the place, for the model. */
export function whyNotArguments(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    const kind = Array.isArray(value) ? 'a list' : `a ${typeof value}`
    return `The arguments must be one JSON object, not ${kind}: ${text.slice(0, AROUND.before).toWellFormed()}`
  } catch (error) {
    const message = error instanceof Error ? error.message : 'invalid'
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? text.length)
    const reason = message.replace(/,? (in JSON )?(at position \d+.*)?$/, '').replace(/, (\.\.\.)?".*$/s, '')
    const before = text.slice(Math.max(0, at - AROUND.before), at).toWellFormed()
    const after = text.slice(at, at + AROUND.after).toWellFormed()
    return `The arguments are not valid JSON: ${reason} at character ${at}, where it says ⟪here⟫:\n${before}⟪here⟫${after}\nNothing was called. Make the call again with one JSON object.`
  }
}

/**
 * The arguments of a call as its tool takes them, with defaults and without what it trims; as the
 * model wrote them where no tool takes them.
 */
export function inputAsTaken(tools: readonly AnyTool[], name: string, params: unknown): unknown {
  const parsed = tools.find(({ id }) => id === name)?.params.safeParse(params)
  return parsed?.success ? parsed.data : params
}

export const failedCall = (code: string, message: string): StepOutcome => ({ error: { code, message } })

export type UsableTool = { ok: true; tool: AnyTool } | { ok: false; refusal: StepOutcome }

/**
 * The tool with this name, if the run may call it now. A refusal names no tool that the model was
 * not offered.
 */
export function findUsableTool(run: AgentRun, name: string, params: Record<string, unknown>): UsableTool {
  const refuse = (code: string, message: string): UsableTool => ({ ok: false, refusal: failedCall(code, message) })
  if (run.mode === 'interactive' && (name === ASK_USER || name === PRESENT_PLAN))
    return refuse('invalid_request', whyNotAsked(run, name, params))
  if (!canUseTools(run))
    return refuse('forbidden', 'Show your plan with present_plan first: no tool runs before it is approved.')
  if (name === ASK_USER || name === PRESENT_PLAN)
    return refuse('forbidden', 'Nobody is there to answer: decide yourself.')
  const tool = run.tools.find(({ id }) => id === name)
  return tool ? { ok: true, tool } : refuse('unknown_tool', unknownTool(run, name))
}

/** That there is no such tool, and which of the run's may have been meant. */
function unknownTool({ tools }: AgentRun, name: string): string {
  const ids = tools.map(({ id }) => id)
  const near = nearestNames(name, ids).flatMap((id) => tools.find((tool) => tool.id === id) ?? [])
  const hint = near.length > 0 ? ` You may mean: ${near.map(callSignature).join(' or ')}.` : ''
  return `There is no tool "${name.slice(0, 100)}" in this run.${hint}`
}

/** What a refusal of parameters says besides: names that were meant, and the whole call. */
export function paramsHint(tool: AnyTool, params: Record<string, unknown>): string {
  const parsed = tool.params.safeParse(params)
  if (parsed.success) return ''
  const names = Object.keys(tool.params.shape)
  const unknown = parsed.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))
  const meant = unknown.flatMap((key) => {
    const [near] = nearestNames(key, names)
    const fits = near !== undefined && tool.params.shape[near]?.safeParse(params[key]).success
    return fits && !(near in params) ? [`You may mean ${near} where you wrote ${key.slice(0, 60)}.`] : []
  })
  return ` ${[...meant, `The call is ${callSignature(tool)}.`].join(' ')}`
}

/** What is wrong with a question or a plan that was not shown to the person. */
function whyNotAsked(run: AgentRun, name: string, params: Record<string, unknown>): string {
  if (name === ASK_USER) return 'Ask one question, as text in `question`.'
  const read = readPlan(run, params)
  return read.ok ? 'This plan was not shown.' : read.why
}
