// Makes calls through the proxy, several at a time, until it is asked to stop: `caller.mjs URL
// KEY`, in the network of the containers. Prints `{ calls, credits, failures }`.
import { setTimeout as sleep } from 'node:timers/promises'

const CALLERS = 4
const [url, key] = process.argv.slice(2)
const failures = []
let [calls, credits, isStopping] = [0, 0, false]
process.once('SIGTERM', () => {
  isStopping = true
})

async function call() {
  const response = await fetch(`${url}/api/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tool: 'web_search', params: { query: `call ${calls}` } }),
  })
  const body = await response.text()
  if (!response.ok) throw new Error(`${new Date().toISOString()}: ${response.status} ${body.slice(0, 200)}`)
  credits += JSON.parse(body).service.credits_charged
}

async function keepCalling() {
  while (!isStopping) {
    calls++
    await call().catch((error) => failures.push(`${error.message} ${error.cause?.code ?? ''}`))
    await sleep(50)
  }
}

await Promise.all(Array.from({ length: CALLERS }, keepCalling))
process.stdout.write(`${JSON.stringify({ calls, credits, failures })}\n`)
