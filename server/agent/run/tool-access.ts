import { isRecord } from '../../kit/record'
import type { AnyTool } from '../../tools/define'
import { ASK_USER, PRESENT_PLAN } from './builtin-tools'
import { readPlan } from './plan'
import { type AgentRun, canUseTools } from './state'
import type { StepOutcome } from './step-draft'

/**
 * A call's arguments; null where they are not a JSON object. An empty text stands for no arguments.
 */
export function parseToolArguments(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
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
  return tool ? { ok: true, tool } : refuse('unknown_tool', `There is no tool "${name}" in this run.`)
}

/** What is wrong with a question or a plan that was not shown to the person. */
function whyNotAsked(run: AgentRun, name: string, params: Record<string, unknown>): string {
  if (name === ASK_USER) return 'Ask one question, as text in `question`.'
  const read = readPlan(run, params)
  return read.ok ? 'This plan was not shown.' : read.why
}
