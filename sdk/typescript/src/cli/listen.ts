import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type * as api from '../api.js'
import type { Tollgate } from '../client.js'
import type { WebhookEvent } from '../webhook.js'
import type { Invoked } from './commands.js'

/** One request at a time: runs and tasks in turn. Each counts in the key's minute. */
const POLL_MS = 2_000
/** The most rows that a list has. */
const PAGE = 100

type Signed = { webhookId: string; event: WebhookEvent }

/** A run or a task: `state` is another one after each change. */
type Row = { id: string; state: string; isRunning: boolean; event: () => Promise<Signed | null> }

/** What is watched: its newest rows, and one that is older. */
type Source = { list: () => Promise<Row[]>; read: (id: string) => Promise<Row> }

const now = () => new Date().toISOString()

/** The event of a run, as its callback URL would get it; null where that gets none. */
function eventOfRun(job: api.AgentJob): Signed | null {
  const { jobId, runId, conversationId, status, result, awaitingInput, creditsSpent, metadata, scheduleId } = job
  if (status === 'running' || status === 'cancelled') return null
  const isWaiting = status === 'awaiting_input'
  const data: api.RunEvent = {
    ...{ jobId, runId, conversationId, status },
    result: isWaiting ? null : result,
    ...('output' in job && { output: isWaiting ? null : job.output }),
    ...(awaitingInput && { awaitingInput }),
    ...{ creditsSpent, metadata, scheduleId, poll: `/api/v1/agent/${jobId}` },
  }
  // A run may ask more than once.
  const webhookId = [runId, status, ...(awaitingInput ? [awaitingInput.toolCallId] : [])].join('.')
  return { webhookId, event: { type: `agent.${status}`, timestamp: now(), data } }
}

type ListedTask = Pick<api.TaskList['tasks'][number], 'taskId' | 'tool' | 'status' | 'creditsCharged' | 'poll'>

/** The event of a task: one that was cancelled has failed. Of a call over MCP there is none. */
function eventOfTask({ taskId, tool, status, creditsCharged, poll }: ListedTask): Signed | null {
  if (status === 'working' || tool === null) return null
  const ended = status === 'completed' ? 'completed' : 'failed'
  const data: api.TaskEvent = { taskId, tool, status: ended, creditsCharged, poll }
  return { webhookId: taskId, event: { type: `task.${ended}`, timestamp: now(), data } }
}

function runsOf(tollgate: Tollgate): Source {
  const rowOf = (id: string, status: api.AgentJob['status'], state: string): Row => ({
    ...{ id, state },
    isRunning: status === 'running' || status === 'awaiting_input',
    event: async () => eventOfRun(await tollgate.getRun(id)),
  })
  return {
    list: async () => {
      const { jobs } = await tollgate.request<api.AgentJobList>('GET', `/agent/jobs?limit=${PAGE}`)
      return jobs.map(({ jobId, status, updatedAt }) => rowOf(jobId, status, `${status} ${updatedAt}`))
    },
    read: async (id) => {
      const { status, runId } = await tollgate.getRun(id)
      return rowOf(id, status, `${status} ${runId}`)
    },
  }
}

function tasksOf(tollgate: Tollgate): Source {
  const rowOf = (task: ListedTask): Row => ({
    id: task.taskId,
    state: task.status,
    isRunning: task.status === 'working',
    event: async () => eventOfTask(task),
  })
  return {
    list: async () => (await tollgate.request<api.TaskList>('GET', `/tasks?limit=${PAGE}`)).tasks.map(rowOf),
    read: async (id) => {
      const task = await tollgate.request<api.Task>('GET', `/tasks/${id}`)
      return rowOf({ ...task, creditsCharged: (task.result ?? task.error)?.service?.credits_charged ?? 0 })
    },
  }
}

/** What has changed in a source since it was asked last; at first nothing. */
async function watch(source: Source): Promise<() => Promise<Row[]>> {
  const states = new Map<string, string>()
  const running = new Set<string>()
  const note = ({ id, state, isRunning }: Row): boolean => {
    running.delete(id)
    if (isRunning) running.add(id)
    const isNew = states.get(id) !== state
    states.set(id, state)
    return isNew
  }
  for (const row of await source.list()) note(row)
  return async () => {
    const rows = await source.list()
    // One that is still running although a hundred were begun since, the longest unread of them.
    const older = [...running].find((id) => !rows.some((row) => row.id === id))
    if (older !== undefined) rows.push(await source.read(older))
    return rows.filter(note)
  }
}

async function forward(url: string, secret: string, { webhookId, event }: Signed): Promise<string> {
  const body = JSON.stringify(event)
  const at = new Date()
  const headers = {
    'content-type': 'application/json',
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(webhookId, at, body),
  }
  return fetch(url, { method: 'POST', headers, body }).then(
    ({ status }) => String(status),
    (error) => `no answer (${error.cause?.message ?? error.message})`,
  )
}

/**
 * Watches the runs and tasks of the key's owner, and sends each end, and each question, of those that
 * end from now on to a URL, signed with the account's secret. With --print-secret it prints that.
 */
export async function listen({ tollgate, values }: Invoked): Promise<void> {
  const url = values['forward-to']
  if (url === undefined && !values['print-secret'])
    throw new Error('Give the receiver: tollgate listen --forward-to http://localhost:8080/hook')
  const { secret } = await tollgate.request<api.WebhookSecret>('GET', '/webhooks/secret')
  if (url === undefined || values['print-secret']) {
    process.stdout.write(`${secret}\n`)
    return
  }
  const changes = [await watch(runsOf(tollgate)), await watch(tasksOf(tollgate))]
  process.stdout.write(
    `Forwarding to ${url}, signed with the account's secret: tollgate listen --print-secret shows it\n`,
  )
  for (;;) {
    for (const changed of changes) {
      await sleep(POLL_MS)
      // A moment without the service is no reason to stop.
      for (const row of await changed().catch(() => [])) {
        try {
          const signed = await row.event()
          if (signed) process.stdout.write(`${signed.event.type} ${row.id}: ${await forward(url, secret, signed)}\n`)
        } catch (error) {
          process.stderr.write(`${row.id} could not be read: ${error instanceof Error ? error.message : error}\n`)
        }
      }
    }
  }
}
