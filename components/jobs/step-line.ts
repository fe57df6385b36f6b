import type { JobStep } from './shape'

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const field = (value: unknown, name: string): string => {
  const found = isObject(value) ? value[name] : undefined
  return typeof found === 'string' ? found : ''
}

const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Names of the calls a thought made. */
function callsOf(output: unknown): string[] {
  const calls = isObject(output) && Array.isArray(output.calls) ? output.calls : []
  return calls.map((call) => field(call, 'name')).filter(Boolean)
}

/** A step in one line: what it was about. */
export function stepLine({ kind, input, output, error }: JobStep): string {
  if (error) return flat(error.message)
  switch (kind) {
    case 'model': {
      const calls = callsOf(output)
      return flat(field(output, 'text')) || (calls.length > 0 ? `calls ${calls.join(', ')}` : 'said nothing')
    }
    case 'tool':
      return flat(isObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : '')
    case 'question':
      return flat(`${field(input, 'question')} — ${field(output, 'answer')}`)
    case 'plan':
      return isObject(output) && output.approved === true
        ? 'approved'
        : flat(`to be revised: ${field(output, 'feedback')}`)
    case 'summary':
    case 'wrap_up':
      return flat(field(output, 'text'))
    default:
      return kind satisfies never
  }
}

/** How long a step took, milliseconds. */
export const stepDurationMs = ({ startedAt, endedAt }: JobStep): number =>
  Math.max(0, new Date(endedAt).getTime() - new Date(startedAt).getTime())

/**
 * From where on steps may still change: behind the latest thought. Its calls end in any order; what came before it is
 * final. The cursor to ask from, so that nothing is asked twice without need.
 */
export function openStepsCursor(steps: readonly JobStep[]): string | undefined {
  const thought = steps.findLast(({ kind }) => kind === 'model' || kind === 'summary' || kind === 'wrap_up')
  return thought ? String(thought.index) : undefined
}

/** Steps with others put among them, each once, in order. */
export function mergeSteps(known: readonly JobStep[], more: readonly JobStep[]): JobStep[] {
  const byIndex = new Map([...known, ...more].map((step) => [step.index, step]))
  return byIndex.size === known.length ? (known as JobStep[]) : [...byIndex.values()].sort((a, b) => a.index - b.index)
}
