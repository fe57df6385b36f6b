import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientCall, chargeInBody, parseJsonObject, sendCall } from '../call'
import type { ClientRecord, FaultChannel, Traffic } from './define'

const VERSION = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'faults', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
}
const CALL = {
  name: 'marketplace_run_actor',
  arguments: { actorId: 'tide/slow', input: { query: 'boats', seconds: 3 }, maxItems: 5, maxCostUsd: 0.1 },
}

/** JSON-RPC's internal error: the database is away. */
const UNAVAILABLE = -32603
const POLL_MS = 400
/** The lease of a task shows whether its process died. */
const LEARN_WITHIN_MS = 120_000

type Task = { taskId?: string; status?: string; result?: { isError?: boolean }; error?: { code?: number } }
type Params = Record<string, unknown> & { name?: string; taskId?: string }

/** One request of a client that knows tasks. */
async function ask(url: string, key: string, [method, params]: [string, Params]): Promise<[ClientCall, Task]> {
  let task: Task = {}
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    'mcp-name': String(params.name ?? params.taskId),
  }
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }
  const call = await sendCall({ url: `${url}/api/v1/mcp`, key, body, headers }, (text) => {
    const answer = parseJsonObject(text)
    task = {
      ...(answer?.result as Task | undefined),
      ...(answer?.error !== undefined && { error: answer.error as Task['error'] }),
    }
    return { charged: chargeInBody(task), isDelivered: false }
  })
  return [call, task]
}

/** Asks one web process after another for a task; null while nobody knows how it ends. */
async function pollTask({ webs, key }: Traffic, started: ClientCall, attempt: number): Promise<ClientCall | null> {
  const taskId = started.requestId ?? ''
  const [polled, task] = await ask(webs[attempt % webs.length] ?? '', key, ['tasks/get', { taskId }])
  const isGone = polled.status !== 503 && task.error !== undefined && task.error.code !== UNAVAILABLE
  if (!isGone && (task.status === undefined || task.status === 'working')) return null
  const { status, note } = polled
  const ms = Date.now() - started.startedAt
  const { result } = task
  const isDelivered = task.status === 'completed' && result?.isError !== true
  return { ...started, outcome: 'answered', status, charged: chargeInBody(result), isDelivered, ms, note }
}

async function runTask(traffic: Traffic, seen: ClientRecord, first: number): Promise<void> {
  const { webs, key, isOver } = traffic
  const [started, task] = await ask(webs[first % webs.length] ?? '', key, ['tools/call', CALL])
  if (task.taskId === undefined) return void seen.calls.push(started)
  const call = { ...started, requestId: task.taskId }
  for (let attempt = first; !isOver(); attempt++) {
    await sleep(POLL_MS)
    const ended = await pollTask(traffic, call, attempt)
    if (ended) return void seen.calls.push(ended)
  }
  seen.unknown.push(async () => {
    for (let attempt = 0; ; attempt++) {
      const ended = await pollTask(traffic, call, attempt)
      if (ended) return [ended]
      if (Date.now() - call.startedAt > LEARN_WITHIN_MS) throw new Error(`task ${call.requestId} never ended`)
      await sleep(POLL_MS)
    }
  })
}

/** Calls whose clients poll for the result, at whichever web process. */
export const mcpTasks: FaultChannel = {
  name: 'MCP task',
  minPrice: 1,
  hasRuns: false,
  send: async (traffic, seen) => {
    const caller = async (w: number) => {
      while (!traffic.isOver()) {
        if (!traffic.isDraining(traffic.webs[w] ?? '')) await runTask(traffic, seen, w)
        await sleep(POLL_MS)
      }
    }
    await Promise.all(traffic.webs.flatMap((_, w) => [caller(w), caller(w)]))
  },
}
