import type { LiveStep } from './shape'
import { inputLine } from './step-line'

/** A step in progress as the page shows it. */
export type ShownStep = Omit<LiveStep, 'elapsedMs'> & {
  /** When it began, by the clock of this browser. */
  since: string
}

/**
 * The steps in progress after a further reading, which has only the texts that are new. A step that
 * began again loses its texts.
 */
export function mergeLive(known: readonly ShownStep[], read: readonly LiveStep[], now: number): ShownStep[] {
  return read.map(({ elapsedMs, ...step }) => {
    const before = known.find(({ attemptId }) => attemptId === step.attemptId)
    if (!before) return { ...step, since: new Date(now - elapsedMs).toISOString() }
    return step.texts.length === 0 ? before : { ...before, texts: [...before.texts, ...step.texts] }
  })
}

/** How far the texts of these steps go. */
export function positionOf(steps: readonly ShownStep[]): { attemptId: string; part: number } | null {
  const step = steps.find(({ texts }) => texts.length > 0)
  const last = step?.texts.at(-1)
  return step && last ? { attemptId: step.attemptId, part: last.part } : null
}

const joined = ({ texts }: ShownStep, kind: LiveStep['texts'][number]['kind']) =>
  texts
    .filter((text) => text.kind === kind)
    .map(({ text }) => text)
    .join('')

/** What the agent is doing: what its model writes, and the tools that run. */
export type AgentActivity = {
  /** In a few words, for the heading and for screen readers. */
  state: string
  since: string | null
  reasoning: string
  text: string
  /** The tools whose calls the model is writing. */
  calling: string[]
  tools: { index: number; name: string; line: string; since: string }[]
}

/** Sums up the steps in progress. */
export function agentNow(steps: readonly ShownStep[]): AgentActivity {
  const model = steps.find(({ kind }) => kind !== 'tool')
  const tools = steps
    .filter(({ kind }) => kind === 'tool')
    .map(({ index, name, note, input, since }) => ({ index, name, line: note ?? inputLine(input), since }))
  const text = model ? joined(model, 'text') : ''
  const reasoning = model ? joined(model, 'reasoning') : ''
  const calling = [...new Set(model?.texts.flatMap(({ kind, name }) => (kind === 'tool_call' && name ? [name] : [])))]
  return {
    state: stateOf({ model, tools: tools.map(({ name }) => name), text, calling }),
    since: (model ?? tools[0])?.since ?? null,
    ...{ reasoning, text, calling, tools },
  }
}

const stateOf = (now: { model?: ShownStep; tools: string[]; text: string; calling: string[] }): string => {
  const { model, tools, text, calling } = now
  if (tools.length > 0) return tools.length === 1 ? `Running ${tools[0]}` : `Running ${tools.length} tools`
  if (!model) return 'Working'
  if (model.kind === 'summary') return 'Summarizing the history'
  if (model.kind === 'wrap_up') return 'Writing the final summary'
  if (calling.length > 0) return `Preparing ${calling.join(', ')}`
  return text === '' ? 'Thinking' : 'Writing'
}
