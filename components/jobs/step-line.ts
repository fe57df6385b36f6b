import type { JobStep } from './shape'

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const field = (value: unknown, name: string): string => {
  const found = isObject(value) ? value[name] : undefined
  return typeof found === 'string' ? found : ''
}

const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Names of the tool calls of a model step. */
function callsOf(output: unknown): string[] {
  const calls = isObject(output) && Array.isArray(output.calls) ? output.calls : []
  return calls.map((call) => field(call, 'name')).filter(Boolean)
}

/** What a tool was given, as one line. */
export const inputLine = (input: unknown): string =>
  flat(isObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : '')

/** A step as one line. */
export function stepLine({ kind, name, input, output, error }: JobStep): string {
  if (error) return flat(error.message)
  switch (kind) {
    case 'model': {
      const calls = callsOf(output)
      return flat(field(output, 'text')) || (calls.length > 0 ? `calls ${calls.join(', ')}` : 'no text')
    }
    case 'tool':
      return flat(commandOf({ name, input }) ?? inputLine(input))
    case 'question':
      return flat(`${field(input, 'question')} — ${field(output, 'answer')}`)
    case 'plan':
      return isObject(output) && output.approved === true ? 'approved' : flat(`revise: ${field(output, 'feedback')}`)
    case 'summary':
    case 'wrap_up':
      return flat(field(output, 'text'))
    default:
      return kind satisfies never
  }
}

const numberIn = (value: Record<string, unknown>, name: string): number | null =>
  typeof value[name] === 'number' ? value[name] : null

export type ShellOutput = { stdout: string; stderr: string; exitCode: number }

/** The output of a shell command; null where a step's output is something else. */
export function shellOutputOf(output: unknown): ShellOutput | null {
  if (!isObject(output)) return null
  const exitCode = numberIn(output, 'exitCode')
  return exitCode === null || typeof output.stdout !== 'string'
    ? null
    : { stdout: output.stdout, stderr: field(output, 'stderr'), exitCode }
}

/** The command of a step of the shell, as it was typed; null for other steps. */
export const commandOf = ({ name, input }: Pick<JobStep, 'name' | 'input'>): string | null =>
  name === 'pod_run' ? field(input, 'command') || null : null

/** What a model wrote, the calls it asked for, and its tokens; null where it is not a model's. */
export function modelOutputOf(
  output: unknown,
): { text: string; calls: { name: string; arguments: string }[]; tokens: string } | null {
  if (!isObject(output) || typeof output.text !== 'string') return null
  const calls = Array.isArray(output.calls) ? output.calls : []
  const [input, cached, written] = ['inputTokens', 'cachedTokens', 'outputTokens'].map((name) => numberIn(output, name))
  const count = (n: number) => n.toLocaleString('en-US')
  return {
    text: output.text,
    calls: calls.map((call) => ({ name: field(call, 'name'), arguments: field(call, 'arguments') })),
    tokens:
      input == null || written == null
        ? ''
        : `${count(input)} input tokens${cached ? ` (${count(cached)} from the cache)` : ''}, ${count(written)} output tokens`,
  }
}

/** Tokens that models read and wrote in these steps. */
export const tokensOf = (steps: readonly JobStep[]): number =>
  steps.reduce((sum, { kind, output }) => {
    if (kind === 'tool' || !isObject(output)) return sum
    return sum + (numberIn(output, 'inputTokens') ?? 0) + (numberIn(output, 'outputTokens') ?? 0)
  }, 0)

/** Credits that the cache of the models' providers saved in these steps. */
export const savedCreditsOf = (steps: readonly JobStep[]): number =>
  steps.reduce((sum, { output }) => sum + ((isObject(output) && numberIn(output, 'savedCredits')) || 0), 0)

/** How long a step took, milliseconds. */
export const stepDurationMs = ({ startedAt, endedAt }: JobStep): number =>
  Math.max(0, new Date(endedAt).getTime() - new Date(startedAt).getTime())

/**
 * The cursor after which steps may still change: the latest model step. Its calls end in any order;
 * earlier steps are final. Undefined: all may.
 */
export function openStepsCursor(steps: readonly JobStep[]): string | undefined {
  const latest = steps.findLast(({ kind }) => kind === 'model' || kind === 'summary' || kind === 'wrap_up')
  return latest ? String(latest.index) : undefined
}

/** Both lists of steps, each step once, in order. */
export function mergeSteps(known: readonly JobStep[], more: readonly JobStep[]): JobStep[] {
  const byIndex = new Map([...known, ...more].map((step) => [step.index, step]))
  return byIndex.size === known.length ? (known as JobStep[]) : [...byIndex.values()].sort((a, b) => a.index - b.index)
}
