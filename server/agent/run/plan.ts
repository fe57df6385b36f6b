import { z } from 'zod'
import { isRecord } from '../../kit/record'
import type { PlanDetails } from '../shape'
import { type AgentRun, stepsOfRun } from './state'

const text = (maxChars: number) => z.string().trim().min(1).max(maxChars)

const PlanStep = z.object({
  title: text(500).describe('What is done'),
  tools: z.array(z.string()).max(20).default([]).describe('Ids of the tools it calls'),
  credits: z.number().min(0).max(1e12).describe('What its calls will cost, by their prices'),
})

/** The arguments of present_plan. */
export const PlanArguments = z.object({
  summary: text(4_000).describe('What will be done and what the person gets, in a few sentences'),
  steps: z.array(PlanStep).min(1).max(40),
  answers: z.string().max(4_000).optional().describe('After a rejection: how this plan answers the feedback'),
})
type PlanArguments = z.infer<typeof PlanArguments>

/** A plan as it is shown; `details` is null for one that the model wrote as Markdown. */
export type ShownPlan = { markdown: string; details: Omit<PlanDetails, 'creditsLeft'> | null }

export type ReadPlan = { ok: true; plan: ShownPlan } | { ok: false; why: string }

/**
 * The plan in the arguments of a call: steps with tools and estimates, or Markdown. A plan that
 * cannot be shown comes back with what is wrong, for the model.
 */
export function readPlan(run: AgentRun, params: Record<string, unknown>): ReadPlan {
  const markdown = typeof params.steps === 'string' ? params.steps : params.plan
  if (!Array.isArray(params.steps) && typeof markdown === 'string' && markdown.trim() !== '')
    return { ok: true, plan: { markdown: summaryAnd(params.summary, markdown), details: null } }
  const parsed = PlanArguments.safeParse(withPlainSteps(run, params))
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
    return { ok: false, why: `The plan is not complete. ${issues.join('. ')}.` }
  }
  const known = new Set(run.tools.map(({ id }) => id))
  const unknown = parsed.data.steps.flatMap(({ tools }) => tools.filter((id) => !known.has(id)))
  if (unknown.length > 0) {
    const named = [...new Set(unknown)].join(', ')
    return { ok: false, why: `This run has no tool ${named}. Plan with the tools of your list.` }
  }
  const details = detailsOf(parsed.data, lastFeedback(run))
  return { ok: true, plan: { markdown: toMarkdown(details), details } }
}

const summaryAnd = (summary: unknown, markdown: string): string =>
  typeof summary === 'string' && summary.trim() !== '' ? `${summary.trim()}\n\n${markdown}` : markdown

/**
 * A plan whose steps may be plain texts, as weaker models write them: the tools that a text names
 * are its step's, with their prices, and the summary is the first of them where there is none.
 */
function withPlainSteps({ tools }: AgentRun, params: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(params.steps) || params.steps.every((step) => typeof step !== 'string')) return params
  const steps = params.steps.map((step: unknown) => {
    if (typeof step !== 'string') return step
    const named = tools.filter(({ id }) => new RegExp(`\\b${id}\\b`).test(step))
    const credits = named.reduce((sum, { pricing }) => sum + (pricing.kind === 'fixed' ? pricing.credits : 0), 0)
    return { title: step.slice(0, 500), tools: named.map(({ id }) => id), credits }
  })
  return { ...params, steps, summary: params.summary ?? params.plan ?? steps.find((step) => isRecord(step))?.title }
}

function detailsOf({ summary, steps, answers }: PlanArguments, feedback: string | null) {
  const rounded = steps.map((step) => ({ ...step, credits: Math.ceil(step.credits) }))
  return {
    summary,
    steps: rounded,
    totalCredits: rounded.reduce((sum, step) => sum + step.credits, 0),
    ...(feedback !== null && { feedback }),
    ...(answers?.trim() && { answers: answers.trim() }),
  }
}

/** What the person wanted changed in the plan before; null: nothing was rejected with a reason. */
function lastFeedback(run: AgentRun): string | null {
  const last = stepsOfRun(run).findLast(({ kind }) => kind === 'plan')
  const { approved, feedback } = (last?.output ?? {}) as { approved?: unknown; feedback?: unknown }
  return approved === false && typeof feedback === 'string' ? feedback : null
}

const creditsText = (n: number) => `${n.toLocaleString('en-US')} ${n === 1 ? 'credit' : 'credits'}`

/** A plan for those who read Markdown only. */
function toMarkdown({ summary, steps, answers }: Omit<PlanDetails, 'creditsLeft'>): string {
  const lines = steps.map(({ title, tools, credits }, i) => {
    const named = tools.length > 0 ? `, with ${tools.map((id) => `\`${id}\``).join(', ')}` : ''
    return `${i + 1}. ${title}${named}: ${credits === 0 ? 'free' : `about ${creditsText(credits)}`}`
  })
  return [summary, ...(answers ? [`What has changed: ${answers}`] : []), lines.join('\n')].join('\n\n')
}
