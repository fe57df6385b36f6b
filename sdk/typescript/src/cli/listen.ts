import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type * as api from '../api.js'
import type { Invoked } from './commands.js'

const POLL_MS = 2_000
/** What a callback URL would get an event for. */
const REPORTED = ['completed', 'failed', 'awaiting_input']

/** The event of a run, as its callback URL would get it. */
const eventOf = (jobId: string, job: api.AgentJob) => ({
  type: `agent.${job.status}`,
  timestamp: new Date().toISOString(),
  data: {
    jobId,
    runId: job.runId,
    conversationId: jobId,
    status: job.status,
    result: job.status === 'awaiting_input' ? null : job.result,
    ...(job.awaitingInput && { awaitingInput: job.awaitingInput }),
    creditsSpent: job.creditsSpent,
    metadata: job.metadata,
    scheduleId: job.scheduleId,
    poll: `/api/v1/agent/${jobId}`,
  },
})

async function forward(url: string, secret: string, event: ReturnType<typeof eventOf>): Promise<string> {
  const id = `${event.data.runId}.${event.data.status}`
  const body = JSON.stringify(event)
  const at = new Date()
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
  return fetch(url, { method: 'POST', headers, body }).then(
    ({ status }) => String(status),
    (error) => `no answer (${error.cause?.message ?? error.message})`,
  )
}

/**
 * Watches the runs of the key's owner, and sends each end, and each question, of those that end from
 * now on to a URL, signed with the account's secret.
 */
export async function listen({ tollgate, values, baseUrl }: Invoked): Promise<void> {
  const url = values['forward-to']
  if (url === undefined) throw new Error('Give the receiver: tollgate listen --forward-to http://localhost:8080/hook')
  const { headers } = tollgate.options
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, { headers })
    const body = (await response.json()) as T & { error?: string }
    if (!response.ok) throw new Error(body.error ?? `${path} answered ${response.status}.`)
    return body
  }
  const { secret } = await get<{ secret: string }>('/webhooks/secret')
  const seen = new Map<string, string>()
  const read = async () =>
    (await get<{ jobs: { jobId: string; status: string; updatedAt: string }[] }>('/agent/jobs?limit=50')).jobs
  for (const job of await read()) seen.set(job.jobId, `${job.status} ${job.updatedAt}`)
  process.stdout.write(`Forwarding to ${url}, signed with the account's secret: ${secret}\n`)
  for (;;) {
    await sleep(POLL_MS)
    // A moment without the service is no reason to stop.
    for (const { jobId, status, updatedAt } of await read().catch(() => [])) {
      const state = `${status} ${updatedAt}`
      if (seen.get(jobId) === state) continue
      seen.set(jobId, state)
      if (!REPORTED.includes(status)) continue
      const event = eventOf(jobId, await tollgate.getRun(jobId))
      process.stdout.write(`${event.type} ${jobId}: ${await forward(url, secret, event)}\n`)
    }
  }
}
