import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sendQuery } from '../faults/channels/query'
import type { WebTarget } from '../faults/services'
import { type CertificateFiles, trustCertificate, writeCertificate } from '../support/certificate'
import { makeTestDatabase, startTestServer } from '../support/database'
import { makeCaller } from '../support/owners'
import type { CheckContext } from './check'
import { type Layout, type LeaveOut, startLayout } from './layout'
import { rollingRestarts, runReportedRound } from './rolling-restart'

const MIB = 1024 * 1024
/** Longer than the minute after which proxies give up unless they are set up. */
const SILENT_MS = 65_000
const SPOOFED = '203.0.113.7'

type Client = { url: string; key: string }

/** A proxy that runs. */
export type RunningProxy = { url: string; leaveOut?: LeaveOut }

type StartProxy = (webs: readonly WebTarget[], certificate: CertificateFiles) => Promise<RunningProxy>

/** Starts the service behind a proxy and checks all that the guide says of it. */
export async function checkProxy(context: CheckContext, startProxy: StartProxy): Promise<void> {
  context.onEnd(await startTestServer())
  const database = await makeTestDatabase()
  context.onEnd(database.drop)
  const wanted = { databaseUrl: database.url, webs: 3, workers: 2, settings: { TRUST_PROXY: '1' } }
  const layout = await startLayout(context, wanted)
  const certificate = await writeCertificate(context.folder)
  trustCertificate(certificate)
  const { url, leaveOut } = await startProxy(layout.services.web, certificate)
  const { key } = await makeCaller(1_000_000, { llm: true, agent: true })
  const client = { url, key: key.key }
  const promises: [string, (client: Client, layout: Layout) => Promise<void>][] = [
    ['a call that is silent for 65 s is answered', answersAfterSilence],
    ['a stream arrives piece by piece', streamsPieces],
    ['a body of 20 MiB passes, a larger one is refused as JSON', passesBodies],
    ['the address of the client counts, not what it writes', seesAddress],
    ['events of a run arrive as they happen', streamsEvents],
    ['MCP', callsMcp],
  ]
  await Promise.all(
    promises.map(async ([what, check]) => {
      await check(client, layout)
      context.say(what)
    }),
  )
  for (const restart of rollingRestarts.slice(0, 1)) {
    const { problems } = await runReportedRound({ ...layout, urls: [url, url], leaveOut }, restart, context.say)
    assert.deepEqual(problems, [])
  }
}

const post = ({ url, key }: Client, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const goalOf = (script: object) => `Look at tolls. [[sandbox ${JSON.stringify(script)}]]`

const chatOf = (script: object) => ({
  model: 'northwind/gale-4',
  messages: [{ role: 'user', content: `Hello [[sandbox ${JSON.stringify(script)}]]` }],
})

/** The parts in which a body arrives. */
async function partsOf(response: Response): Promise<string[]> {
  const decoder = new TextDecoder()
  const parts: string[] = []
  for await (const part of response.body ?? []) parts.push(decoder.decode(part, { stream: true }))
  return parts
}

async function answersAfterSilence(client: Client): Promise<void> {
  const goal = goalOf({ turns: [{ delayMs: SILENT_MS, text: 'Done.' }] })
  const answer = await post(client, '/api/v1/agent', { goal, wait: true, idempotencyKey: randomUUID() })
  assert.equal(answer.status, 200)
  assert.equal(((await answer.json()) as { status: string }).status, 'completed')
}

async function streamsPieces(client: Client): Promise<void> {
  const script = { text: 'one two three four five six', chunks: 6, chunkDelayMs: 500 }
  const answer = await post(client, '/api/v1/chat/completions', { ...chatOf(script), stream: true })
  const parts = await partsOf(answer)
  assert.ok(parts.filter((part) => part.includes('"delta"')).length >= 5, `the stream came in ${parts.length} parts`)
  assert.ok(parts.join('').includes('[DONE]'))
}

async function passesBodies(client: Client): Promise<void> {
  const body = JSON.stringify(chatOf({ text: 'ok' }))
  const largest = await post(client, '/api/v1/chat/completions', body.padEnd(20 * MIB))
  assert.equal(largest.status, 200, await largest.text())
  const tooLarge = await post(client, '/api/v1/chat/completions', body.padEnd(21 * MIB))
  assert.equal(tooLarge.status, 413)
  assert.equal(((await tooLarge.json()) as { error: { code: string } }).error.code, 'payload_too_large')
}

async function seesAddress(client: Client, { database }: Layout): Promise<void> {
  const registration = { client_name: 'Check', redirect_uris: ['http://127.0.0.1:9/back'] }
  const forwarded = { 'x-forwarded-for': SPOOFED, forwarded: `for=${SPOOFED}`, 'x-real-ip': SPOOFED }
  const answer = await post(client, '/register', registration, forwarded)
  assert.equal(answer.status, 201)
  const counted = await database.query<{ id: string }>(
    "SELECT id FROM rate_window WHERE id LIKE 'oauth-register:address:%'",
  )
  assert.deepEqual(
    counted.map(({ id }) => id),
    ['oauth-register:address:127.0.0.1'],
  )
}

async function streamsEvents(client: Client): Promise<void> {
  const search = { name: 'web_search', arguments: { query: 'toll roads' } }
  const turns = [
    { delayMs: 2_000, toolCalls: [search] },
    { delayMs: 2_000, text: 'Done.' },
  ]
  const started = await post(client, '/api/v1/agent', { goal: goalOf({ turns }), idempotencyKey: randomUUID() })
  assert.equal(started.status, 202)
  const { jobId } = (await started.json()) as { jobId: string }
  const headers = { authorization: `Bearer ${client.key}` }
  const parts = await partsOf(await fetch(`${client.url}/api/v1/agent/${jobId}/events`, { headers }))
  assert.ok(parts.length >= 3, `the events came in ${parts.length} parts: ${parts.join('')}`)
  assert.ok(parts.at(-1)?.includes('"completed"'), parts.at(-1))
}

async function callsMcp({ url, key }: Client): Promise<void> {
  const params = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
  const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const answer = await post({ url, key }, '/api/v1/mcp', rpc, { accept: 'application/json, text/event-stream' })
  assert.equal(answer.status, 200)
  assert.ok((await answer.text()).includes('credits_charged'))
  // The same client over REST, for the connection that is kept alive.
  assert.equal((await sendQuery(key, 'crypto_get_prices', { coinIds: ['bitcoin'] })(url)).status, 200)
}
