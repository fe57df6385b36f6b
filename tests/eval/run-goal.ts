import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UnknownRecord } from '../../server/kit/record'
import { makeCaller } from '../support/owners'
import type { AskedPerson, EvalStep, Goal, Outcome } from './goal'
import type { EvalWorld } from './world'

export type GoalResult = {
  goal: string
  agent: string
  model: string
  /** What is wrong; nothing when the goal was met. */
  complaints: string[]
  steps: number
  credits: number
  inputTokens: number
  cachedTokens: number
  seconds: number
  /** Its steps, a line each. */
  trace: string[]
}

const CREDITS = 20_000
const POLL_MS = 30
/** No goal takes as long with a scripted model. */
const PATIENCE_MS = 10 * 60_000

type Client = (path: string, body?: object) => Promise<{ status: number; body: UnknownRecord }>

const clientOf =
  (url: string, key: string): Client =>
  async (path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
    return { status: answer.status, body: (await answer.json()) as UnknownRecord }
  }

/** Starts a turn and answers for the person until it has ended. Returns the body of its poll. */
async function runTurn(client: Client, fields: object, { person }: Goal, asked: AskedPerson[]): Promise<UnknownRecord> {
  const started = await client('/api/v1/agent', { idempotencyKey: randomUUID(), ...fields })
  if (started.status !== 200 && started.status !== 202)
    return { status: 'refused', result: JSON.stringify(started.body), jobId: null }
  const path = `/api/v1/agent/${started.body.jobId}`
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const { body: job } = await client(path)
    if (job.status === 'awaiting_input') {
      const awaiting = job.awaitingInput as AskedPerson & { toolCallId: string }
      const answer = person?.(awaiting, asked.length) ?? { approved: true, feedback: 'Go on.' }
      asked.push(awaiting)
      await client(`${path}/answer`, { ...answer, toolCallId: awaiting.toolCallId })
    } else if (job.status !== 'running') return job
    if (Date.now() > end) return { ...job, status: 'still running' }
    await sleep(POLL_MS)
  }
}

/** GET of a URL: through the listener where it names this service. */
const fetcher = (url: string) => async (asked: string) => {
  const { pathname, search, hostname, port } = new URL(asked)
  const isOwn = hostname === 'localhost' && port !== new URL(url).port
  const answer = await fetch(isOwn ? url + pathname + search : asked)
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() }
}

const sum = (steps: readonly EvalStep[], field: string) =>
  steps.reduce((total, { output }) => total + (typeof output?.[field] === 'number' ? output[field] : 0), 0)

const lineOf = ({ index, kind, name, creditsCharged, input, output, error }: EvalStep): string => {
  const said = error ? `failed: ${error.message}` : JSON.stringify(output)
  return `${index} ${kind} ${name} ${creditsCharged} ${JSON.stringify(input).slice(0, 160)} => ${said.slice(0, 400)}`
}

/** What is wrong with an outcome, whatever the goal. */
function commonComplaints(goal: Goal, { status, result }: Outcome, credits: number): string[] {
  const ends = goal.ends ?? ['completed']
  return [
    ...(ends.includes(status) ? [] : [`it is ${status}: ${result.replaceAll(/\s+/g, ' ').slice(0, 160)}`]),
    ...(credits <= goal.maxCredits ? [] : [`it cost ${credits} credits, more than ${goal.maxCredits}`]),
  ]
}

/** Gives a goal to a model, as a new owner, and looks at what came of it. */
export async function runGoal({ url, places }: EvalWorld, goal: Goal, model: string): Promise<GoalResult> {
  const { owner, key } = await makeCaller(CREDITS, { agent: true, llm: true, ...goal.key })
  await goal.prepare?.(owner)
  const client = clientOf(url, key.key)
  const asked: AskedPerson[] = []
  const startedAt = performance.now()
  const first = goal.earlier ? await runTurn(client, { goal: goal.earlier.text(places), model }, goal, asked) : null
  const fields = { goal: goal.text(places), model, ...goal.start, ...(first && { conversationId: first.jobId }) }
  const job = await runTurn(client, fields, goal, asked)
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  const listed = job.jobId ? await client(`/api/v1/agent/${job.jobId}/steps?limit=500`) : null
  const steps = (listed?.body.steps ?? []) as EvalStep[]
  const credits = Number(job.creditsSpent ?? 0)
  const outcome: Outcome = {
    places,
    owner,
    status: String(job.status),
    result: String(job.result ?? ''),
    job,
    steps,
    asked,
    fetch: fetcher(url),
  }
  const common = commonComplaints(goal, outcome, credits)
  const own = outcome.status === 'refused' ? [] : await goal.check(outcome)
  return {
    goal: goal.id,
    agent: goal.agent,
    model,
    complaints: [...common, ...own],
    steps: steps.length,
    credits,
    inputTokens: sum(steps, 'inputTokens'),
    // Steps of before had another name for it.
    cachedTokens: sum(steps, 'cachedTokens') + sum(steps, 'cachedInputTokens'),
    seconds,
    trace: [...steps.map(lineOf), `${outcome.status}: ${outcome.result.slice(0, 600)}`],
  }
}
