import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientCall, parseJsonObject, sendCall } from '../call'
import type { ClientRecord, ClientRun, FaultChannel, Traffic } from './define'
import { keepCalling } from './keep-calling'
import { sendQuery } from './query'

const search = { name: 'web_search', arguments: { query: 'toll roads' } }
const prices = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
const TURNS = [...Array.from({ length: 3 }, () => ({ delayMs: 600, toolCalls: [search, prices] })), { text: 'Done.' }]
const GOAL = `Look at tolls. [[sandbox ${JSON.stringify({ turns: TURNS })}]]`

/** A run that has not ended this long after its start never will. */
const STUCK_MS = 120_000

/** A run that its client only has an error of. */
const NOTHING = { jobId: '', spent: 0, steps: 0 }

type Answer = { call: ClientCall; body: Record<string, unknown> }

/**
 * Sends a request whose repetition does no harm, to one web process after another, until one
 * responds.
 */
async function persist(
  traffic: Traffic,
  path: string,
  seen: ClientRecord,
  body?: object,
): Promise<Record<string, unknown>> {
  const until = Date.now() + STUCK_MS
  for (let attempt = Math.floor(Math.random() * traffic.webs.length); ; attempt++) {
    const { call, body: answered } = await sendOnce(traffic, attempt, path, body)
    if (body) seen.unbilled.push(call)
    if (call.outcome === 'answered' && call.status !== 503) {
      if (call.status !== 200 && call.status !== 202) throw new Error(`${path}: ${call.note}`)
      return answered
    }
    if (Date.now() > until) throw new Error(`${path} was never answered: ${call.note}`)
    await sleep(400)
  }
}

async function sendOnce(
  { webs, key, isDraining }: Traffic,
  attempt: number,
  path: string,
  body?: object,
): Promise<Answer> {
  let read: Record<string, unknown> = {}
  const open = webs.filter((web) => !isDraining(web))
  const url = `${open[attempt % open.length] ?? webs[0]}${path}`
  const call = await sendCall({ url, key, body, method: body ? 'POST' : 'GET' }, (text, status) => {
    read = parseJsonObject(text) ?? {}
    return { charged: null, isDelivered: status === 200 || status === 202 }
  })
  return { call, body: read }
}

/** One run from start to end; its steps are read when it has ended. */
async function run(traffic: Traffic, seen: ClientRecord): Promise<ClientRun> {
  const startedAt = Date.now()
  const started = await persist(traffic, '/api/v1/agent', seen, { goal: GOAL, idempotencyKey: randomUUID() })
  const jobId = String(started.jobId)
  for (;;) {
    const job = await persist(traffic, `/api/v1/agent/${jobId}`, seen)
    if (job.status !== 'running') return { ...(await finished(traffic, seen, job)), startedAt }
    if (Date.now() - startedAt > STUCK_MS) {
      return { jobId, status: 'stuck', spent: Number(job.creditsSpent), steps: 0, startedAt, finishedAt: Date.now() }
    }
    await sleep(300)
  }
}

async function finished(
  traffic: Traffic,
  seen: ClientRecord,
  job: Record<string, unknown>,
): Promise<Omit<ClientRun, 'startedAt'>> {
  const { steps } = await persist(traffic, `/api/v1/agent/${job.jobId}/steps?limit=500`, seen)
  const charges = (steps as { creditsCharged: number }[]).map((step) => step.creditsCharged)
  return {
    jobId: String(job.jobId),
    status: String(job.status),
    spent: Number(job.creditsSpent),
    steps: charges.reduce((sum, charge) => sum + charge, 0),
    finishedAt: Date.now(),
  }
}

/**
 * Three runs at a time, each of three rounds of a model step and two tool calls, beside ordinary
 * calls of the same owner: those share the owner's rows with the workers.
 */
export const agentRuns: FaultChannel = {
  name: 'agent run',
  minPrice: 3,
  hasRuns: true,
  send: async (traffic, seen) => {
    const runner = async () => {
      while (!traffic.isOver()) {
        const startedAt = Date.now()
        const ended = await run(traffic, seen).catch(
          (error: Error): ClientRun => ({ ...NOTHING, status: error.message, startedAt, finishedAt: Date.now() }),
        )
        seen.runs.push(ended)
      }
    }
    const calls = keepCalling([sendQuery(traffic.key, 'crypto_get_prices', { coinIds: ['bitcoin'] })], traffic, seen)
    await Promise.all([runner(), runner(), runner(), calls])
  },
}
