import { afterEach, expect, it } from 'vitest'
import { scriptedGoal } from '../support/agent'
import { CHAT_PATH, scriptedBody } from '../support/chat'
import { findLogFaults } from '../support/log-faults'
import { MCP_PATH } from '../support/mcp'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { startWebProcess, type WebProcess } from '../support/web-process'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process'

let running: (WebProcess | WorkerProcess)[] = []
afterEach(async () => {
  await Promise.all(running.map((each) => each.kill('SIGKILL')))
  running = []
})

const PAGES = ['/', '/signin', '/docs', '/overview', '/healthz', '/api/v1/openapi.json', '/signin']

it('pages, calls of every channel and a run log no fault, in the web process, its sandbox and the worker', async () => {
  const { key } = await makeCaller(1_000_000, { llm: true, agent: true })
  // Nothing answers at SANDBOX_URL: the web process starts the simulated providers, whose output is
  // part of its log.
  const web = await startWebProcess()
  const worker = startWorkerProcess()
  running = [web, worker]
  await worker.ready
  const post = async (path: string, body: object) => {
    const response = await fetch(web.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect(response.ok, `${path}: ${text}`).toBe(true)
    return text
  }

  for (const page of PAGES) expect((await fetch(web.url + page)).status, page).toBe(200)
  await post('/api/v1/query', { tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } })
  await post(CHAT_PATH, scriptedBody({ text: 'Hello.' }))
  await post(CHAT_PATH, { ...scriptedBody({ text: 'Hello.' }), stream: true })
  const call = { name: 'web_search', arguments: { query: 'tolls' } }
  await post(MCP_PATH, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
  const goal = scriptedGoal({ turns: [{ toolCalls: [call] }, { text: 'Done.' }] })
  const { jobId } = JSON.parse(await post('/api/v1/agent', { goal, idempotencyKey: 'clean' }))
  await pollUntil('the end of the run', async () => {
    const headers = { authorization: `Bearer ${key.key}` }
    const job = (await (await fetch(`${web.url}/api/v1/agent/${jobId}`, { headers })).json()) as { status: string }
    return job.status === 'completed'
  })

  await Promise.all([web.kill('SIGTERM'), worker.kill('SIGTERM')])
  expect([web.child.exitCode, worker.child.exitCode]).toEqual([0, 0])
  expect(findLogFaults(web.log())).toEqual([])
  expect(findLogFaults(worker.log())).toEqual([])
})
