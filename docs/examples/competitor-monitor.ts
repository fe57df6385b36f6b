// Watches what is written about competitors: a schedule runs an agent, and each end of a run comes
// as a signed webhook, which this program verifies and prints.
//
//   export TOLLGATE_KEY=tg_… CALLBACK_URL=https://you.example/hook
//   node competitor-monitor.ts "Acme Tolls" "RoadPay"
//
// In sandbox mode CALLBACK_URL may be http://localhost:8080/hook.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { type api, type RunEvent, Tollgate, verifyWebhook } from 'tollgate-client'

const competitors = process.argv.slice(2)
const port = Number(process.env.PORT ?? 8080)
const callbackUrl = process.env.CALLBACK_URL ?? `http://localhost:${port}/hook`
const tollgate = new Tollgate({ key: process.env.TOLLGATE_KEY ?? '', baseUrl: process.env.TOLLGATE_URL })

const { secret } = await tollgate.request<api.WebhookSecret>('GET', '/webhooks/secret')

/** Events that were taken: a delivery may come twice. */
const taken = new Set<string>()

function report({ scheduleId, status, result, creditsSpent }: RunEvent): void {
  console.log(JSON.stringify({ scheduleId, status, creditsSpent, result }))
}

const server = createServer(async (req, res) => {
  try {
    const event = verifyWebhook(secret, req.headers as Record<string, string>, await text(req))
    const id = String(req.headers['webhook-id'])
    // Answered first: what follows may take longer than a delivery waits.
    res.writeHead(204).end()
    if (taken.has(id)) return
    taken.add(id)
    if (event.type === 'agent.completed' || event.type === 'agent.failed') report(event.data)
  } catch {
    res.writeHead(400).end('not signed by us')
  }
})
await new Promise<void>((resolve) => server.listen(port, resolve))

// The same name is the same schedule: a restart of this program makes no second one.
const name = `competitors: ${competitors.join(', ')}`.slice(0, 100)
const { schedules } = await tollgate.request<api.AgentScheduleList>('GET', '/agent/schedules')
const known = schedules.find((schedule) => schedule.name === name)
const schedule =
  known ??
  (await tollgate.request<api.AgentSchedule>('POST', '/agent/schedules', {
    name,
    cron: '0 7 * * 1-5',
    timeZone: 'Europe/Berlin',
    goal: `What is new about ${competitors.join(' and ')} since the last report? Give sources.`,
    maxCredits: 2_000,
    callbackUrl,
  }))
console.log(JSON.stringify({ listening: callbackUrl, scheduleId: schedule.scheduleId }))

// Once now, to see that it works.
await tollgate.request('POST', `/agent/schedules/${schedule.scheduleId}/run`)
