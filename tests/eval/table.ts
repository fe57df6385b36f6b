import type { GoalResult as Traced } from './run-goal'

/** A result as it is kept. */
export type KeptResult = Omit<Traced, 'trace'>

/** What one model made of all goals. */
type Totals = Record<'met' | 'goals' | 'steps' | 'credits' | 'input' | 'cached' | 'seconds', number>

const totalsOf = (results: readonly KeptResult[]): Totals => {
  const sum = (of: (result: KeptResult) => number) => results.reduce((total, result) => total + of(result), 0)
  const input = sum(({ inputTokens }) => inputTokens)
  return {
    met: results.filter(({ complaints }) => complaints.length === 0).length,
    goals: results.length,
    steps: sum(({ steps }) => steps),
    credits: sum(({ credits }) => credits),
    input,
    cached: input === 0 ? 0 : sum(({ cachedTokens }) => cachedTokens) / input,
    seconds: sum(({ seconds }) => seconds),
  }
}

const modelsIn = (results: readonly KeptResult[]): string[] => [...new Set(results.map(({ model }) => model))]

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

const table = (head: readonly string[], rows: readonly string[]): string =>
  [row(head), row(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows].join('\n')

const whole = (n: number) => n.toLocaleString('en-US', { maximumFractionDigits: 0 })

/** A model as the tables name it. */
const short = (model: string) => model.replace(/^eval\//, '').replace(/-small$/, '')

/** Results of scripted models with little context belong to their temperament. */
const byModel = (results: readonly KeptResult[]): KeptResult[] =>
  results.map((result) => ({ ...result, model: short(result.model) }))

function totalRow(name: string, results: readonly KeptResult[]): string {
  const { met, goals, steps, credits, input, cached, seconds } = totalsOf(results)
  return row([
    name,
    `${met} of ${goals}`,
    whole(steps),
    whole(credits),
    whole(input),
    `${whole(cached * 100)} %`,
    whole(seconds),
  ])
}

const HEAD = ['', 'goals met', 'steps', 'credits', 'input tokens', 'from cache', 'seconds']

const cell = (result: KeptResult | undefined) =>
  result === undefined
    ? ''
    : `${result.complaints.length === 0 ? 'met' : '**not**'}, ${result.steps}, ${whole(result.credits)}`

/** A run of the evaluation as Markdown, beside an earlier one where there is one. */
export function evalTable(now: readonly KeptResult[], before: readonly KeptResult[]): string {
  const after = byModel(now)
  const earlier = byModel(before).filter(({ goal }) => after.some((result) => result.goal === goal))
  const models = modelsIn(after)
  const totals = models.flatMap((model) => {
    const of = (results: readonly KeptResult[]) => results.filter((result) => result.model === model)
    const old = of(earlier)
    return [...(old.length > 0 ? [totalRow(`${model}, before`, old)] : []), totalRow(model, of(after))]
  })
  const find = (results: readonly KeptResult[], goal: string, model: string) =>
    results.find((result) => result.goal === goal && result.model === model)
  const columns = models.flatMap((model) =>
    earlier.some((r) => r.model === model) ? [`${model}, before`, model] : [model],
  )
  const goals = [...new Map(after.map((result) => [result.goal, result])).values()].map(({ goal, agent }) =>
    row([
      `${goal} (${agent})`,
      ...models.flatMap((model) => {
        const hasOld = earlier.some((result) => result.model === model)
        return [...(hasOld ? [cell(find(earlier, goal, model))] : []), cell(find(after, goal, model))]
      }),
    ]),
  )
  return `${table(HEAD, totals)}\n\nEach goal: whether it was met, steps, credits.\n\n${table(['goal', ...columns], goals)}`
}

/** What was wrong, a line each. */
export const evalComplaints = (results: readonly KeptResult[]): string[] =>
  results
    .filter(({ complaints }) => complaints.length > 0)
    .map(({ goal, model, complaints }) => `${goal}, ${short(model)}: ${complaints.join('; ')}`)
