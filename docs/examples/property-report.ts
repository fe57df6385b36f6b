// A weekly report about homes for sale, made for one of your customers: searches that run in the
// background, a model that answers in JSON, a budget that no customer exceeds, and an agent that
// may ask what it cannot know.
//
//   export TOLLGATE_KEY=tg_…              it names customers, and has the tag "reports"
//   export TOLLGATE_MANAGEMENT_KEY=tgm_…  scope budgets
//   node property-report.ts acme Valencia Sevilla
//
// In sandbox mode CALLBACK_URL may be http://localhost:8081/hook.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { type api, Tollgate, TollgateError, type Tools, verifyWebhook } from 'tollgate-client'

const [customer, ...cities] = process.argv.slice(2)
if (!customer || cities.length === 0) {
  console.error('Usage: property-report.ts CUSTOMER CITY…')
  process.exit(2)
}
const baseUrl = process.env.TOLLGATE_URL
const port = Number(process.env.PORT ?? 8081)
const callbackUrl = process.env.CALLBACK_URL ?? `http://localhost:${port}/hook`
const tollgate = new Tollgate({ key: process.env.TOLLGATE_KEY ?? '', baseUrl, customer })
const manage = new Tollgate({ key: process.env.TOLLGATE_MANAGEMENT_KEY ?? '', baseUrl })

type Homes = Tools['property_search']['result']['rows']
type Report = { headline: string; cities: { city: string; summary: string }[] }

/** Ids of tasks that have ended, and who waits for one. */
const ended = new Set<string>()
let wake = () => {}

/** A receiver of signed events, until it is closed. */
async function listen() {
  const { secret } = await tollgate.request<api.WebhookSecret>('GET', '/webhooks/secret')
  const server = createServer(async (req, res) => {
    try {
      const event = verifyWebhook(secret, req.headers as Record<string, string>, await text(req))
      res.writeHead(204).end()
      if (event.type === 'task.completed' || event.type === 'task.failed') ended.add(event.data.taskId)
      wake()
    } catch {
      res.writeHead(400).end('not signed by us')
    }
  })
  await new Promise<void>((resolve) => server.listen(port, resolve))
  return server
}

async function untilEnded(taskIds: readonly string[]): Promise<void> {
  while (taskIds.some((id) => !ended.has(id))) await new Promise<void>((resolve) => (wake = resolve))
}

/** The first place that a city's name finds in Spain, or null. */
async function findPlace(city: string) {
  const { rows } = await tollgate.query('property_suggestions', { prefix: city, location: 'es' })
  return rows[0] ?? null
}

/** The cheapest homes of each city: searched at the same time, without a connection. */
async function searchHomes(): Promise<Map<string, Homes>> {
  const found = await Promise.all(cities.map(async (city) => ({ city, place: await findPlace(city) })))
  const searches = found.flatMap(({ city, place }) => (place ? [{ city, place }] : []))
  for (const { city, place } of found) if (!place) console.error(`${city}: no such place`)
  const { results } = await tollgate.startBatch(
    searches.map(({ place: { locationId, locationName } }) => ({
      tool: 'property_search',
      params: { locationId, locationName, location: 'es', operation: 'sale', order: 'lowestprice', maxResults: 20 },
    })),
    { callbackUrl },
  )
  const tasks = results.map(({ status, body }, at) => ({ city: searches[at]?.city ?? '', status, body }))
  for (const { city, status, body } of tasks) if (status !== 202) console.error(`${city}: ${body.error}`)
  const begun = tasks
    .filter(({ status }) => status === 202)
    .map(({ city, body }) => ({ city, id: String(body.taskId) }))
  await untilEnded(begun.map(({ id }) => id))
  const homes = new Map<string, Homes>()
  for (const { city, id } of begun) {
    const { result, error } = await tollgate.waitForTask(id)
    if (result) homes.set(city, result.rows as Homes)
    else console.error(`${city}: ${error?.error}`)
  }
  return homes
}

/** What a model says of the homes, in a form that programs read. */
async function summarize(homes: Map<string, Homes>, model: string): Promise<Report> {
  const rows = [...homes].map(([city, found]) => ({ city, prices: found.map(({ price, size }) => ({ price, size })) }))
  const textOf = { type: 'string' } as const
  const city = { type: 'object', properties: { city: textOf, summary: textOf }, required: ['city', 'summary'] }
  const schema = {
    type: 'object',
    properties: { headline: textOf, cities: { type: 'array', items: { ...city, additionalProperties: false } } },
    required: ['headline', 'cities'],
    additionalProperties: false,
  }
  const { choices } = await tollgate.chat({
    model,
    messages: [{ role: 'user', content: `Report on these homes for sale, in euros: ${JSON.stringify(rows)}` }],
    response_format: { type: 'json_schema', json_schema: { name: 'report', strict: true, schema } },
  })
  return JSON.parse(choices[0]?.message.content ?? '{}')
}

/** What an agent would look into next; its questions are answered on standard input. */
async function advise(goal: string): Promise<string> {
  const { jobId } = await tollgate.startRun({ goal, mode: 'interactive', maxCredits: 500 })
  const terminal = createInterface({ input: process.stdin })
  const lines = terminal[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { status, awaitingInput, result } = await tollgate.waitForRun(jobId)
      if (status !== 'awaiting_input') return result ?? status
      console.log(`? ${awaitingInput?.question ?? awaitingInput?.approval?.summary ?? awaitingInput?.plan}`)
      const { value: answer = '', done } = await lines.next()
      // Where nobody is there, a plan is approved, within its credits, and nothing is destroyed.
      const kind = awaitingInput?.kind
      const approved = kind === 'question' || (done ? kind === 'plan' : /^y/i.test(answer))
      const feedback = answer || 'Nobody is here to answer: go on without.'
      await tollgate.answer(jobId, { approved, ...((kind === 'question' || !approved) && { feedback }) })
    }
  } finally {
    terminal.close()
  }
}

// The same id is the same budget: a second start of this program makes no other.
await manage.request('PUT', '/manage/budgets/property-reports', {
  name: 'Property reports, each customer a week',
  credits: Number(process.env.CREDITS_A_WEEK ?? 5_000),
  window: 'week',
  scope: { tags: ['reports'], customers: 'each' },
})
const server = await listen()
try {
  const homes = await searchHomes()
  const [model] = (await tollgate.request<{ data: { id: string }[] }>('GET', '/models?kind=chat')).data
  const report = await summarize(homes, process.env.MODEL ?? model?.id ?? '')
  console.log(`# ${report.headline}`)
  for (const { city, summary } of report.cities) console.log(`## ${city}\n${summary}`)
  for (const [city, rows] of homes) console.log(`${city}: ${rows.length} homes, from ${rows[0]?.price} EUR`)
  console.log(await advise(process.env.GOAL ?? `What else should a buyer in ${cities.join(' and ')} know?`))
} catch (error) {
  if (!(error instanceof TollgateError)) throw error
  console.error(`No report for ${customer}: ${error.message}`)
  process.exitCode = 1
} finally {
  server.close()
}
let credits = 0
for await (const receipt of tollgate.receipts({ customer })) credits += receipt.credits.charged
console.log(`${customer} has spent ${credits} credits so far`)
