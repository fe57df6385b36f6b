import { keepWatched } from './keep-watched'
import type { LivePosition, LiveStepView, StepDelta, StepStarted, ToolProgress } from './live-view'
import { readLiveSteps } from './read-live'

/** How a step in progress goes. */
export type LiveEvent =
  | { name: 'step.started'; data: StepStarted }
  | { name: 'step.delta'; data: StepDelta }
  | { name: 'tool.progress'; data: ToolProgress }

/** How often a running tool is reported. */
const PROGRESS_MS = 1_000

/** What a watcher knows about the steps in progress. */
type Known = {
  /** The attempt that was reported of each step, by its index. */
  attempts: Map<number, string>
  position: LivePosition | null
  /** When the progress of each tool was last reported, as the time it had taken by then. */
  progress: Map<number, number>
}

/**
 * The events of steps in progress, from one reading to the next. A step that began again is started
 * again, and its texts come from their beginning.
 */
export function makeLiveEvents(ownerId: number, jobId: string) {
  const known: Known = { attempts: new Map(), position: null, progress: new Map() }
  return {
    next: async (): Promise<LiveEvent[]> => {
      try {
        await keepWatched(jobId)
        const steps = await readLiveSteps({ ownerId, jobId, have: known.position })
        return steps.flatMap((step) => liveEventsOf(step, known))
      } catch {
        // Steps and status are what counts: those are read again in a moment, and these with them.
        return []
      }
    },
  }
}

/** The events that one reading of a step amounts to. Changes what is known. */
export function liveEventsOf(step: LiveStepView, known: Known): LiveEvent[] {
  const { index, runId, attemptId, kind, name, input, note, startedAt, elapsedMs, texts } = step
  const events: LiveEvent[] = []
  if (known.attempts.get(index) !== attemptId) {
    known.attempts.set(index, attemptId)
    known.progress.set(index, 0)
    const more = { ...(input != null && { input }), ...(note !== null && { note }) }
    events.push({ name: 'step.started', data: { index, runId, kind, name, ...more, startedAt } })
  }
  if (kind === 'tool' && elapsedMs - (known.progress.get(index) ?? 0) >= PROGRESS_MS) {
    known.progress.set(index, elapsedMs)
    events.push({ name: 'tool.progress', data: { index, elapsedMs, ...(note !== null && { note }) } })
  }
  for (const delta of joinTexts(texts)) events.push({ name: 'step.delta', data: { index, ...delta } })
  const last = texts.at(-1)
  if (last) known.position = { attemptId, part: last.part }
  return events
}

/** Texts of the same kind as one: who comes late gets them all at once. */
function joinTexts(texts: LiveStepView['texts']): Omit<StepDelta, 'index'>[] {
  const joined: Omit<StepDelta, 'index'>[] = []
  for (const { kind, name, text } of texts) {
    const last = joined.at(-1)
    if (last?.kind === kind && (last.name ?? null) === name) last.text += text
    else joined.push({ kind, ...(name !== null && { name }), text })
  }
  return joined
}
