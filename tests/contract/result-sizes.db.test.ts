import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { RunStep } from '../../server/agent/run/state'
import { resultContent, resultLimits } from '../../server/agent/run/tool-result'
import { countTokens } from '../../server/models/tokens'
import { exampleInput } from '../../server/tools/example'
import { availableTools } from '../../server/tools/registry'
import { callQuery, withSandbox } from '../support/api'
import { runWith } from '../support/flow-run'
import { makeCaller } from '../support/owners'

withSandbox()

/** Calls that a person's question makes larger than a tool's example is. */
const LARGER: Record<string, Record<string, unknown>> = {
  property_search: {
    locationId: '0-EU-ES-28-01-001',
    locationName: 'Madrid, Madrid',
    location: 'es',
    operation: 'rent',
    maxPrice: 1_800,
    bedrooms: [2, 3, 4],
    maxResults: 200,
  },
  crypto_get_market_data: { perPage: 100 },
  forum_search: { query: 'heat pump cold climate winter', limit: 50 },
}
/** Results that are no list: pages, transcripts and what media say have their own length. */
const NO_LIST = /^(image_|video_|marketplace_run|web_read_url|web_screenshot|videosite_transcript)/

/** Tokens that a result of a tool takes in the prompt of a model with a large context. */
async function tokensOf(key: string, tool: string, params: Record<string, unknown>) {
  const { status, body } = await callQuery(key, tool, params)
  expect({ tool, status, error: body.error }).toMatchObject({ status: 200 })
  const { service: _service, ...output } = body
  const run = runWith({ ownerId: 1, reads: [{ name: tool, input: params, output }], calls: [] })
  run.model = { ...run.model, contextSize: 200_000 }
  const step = run.steps.find(({ kind }) => kind === 'tool') as RunStep
  const text = resultContent(step, resultLimits(run, [step])[0])
  return { tool, whole: await countTokens(JSON.stringify(output)), tokens: await countTokens(text), text }
}

it('no list takes more than 3,000 tokens of a prompt, and what is left out can be read on', async () => {
  const { key } = await makeCaller(100_000, { rpm: 10_000 })
  const lists = availableTools().filter(({ id }) => !NO_LIST.test(id))
  const sizes = []
  for (const tool of lists) {
    sizes.push(await tokensOf(key.key, tool.id, exampleInput(tool)))
    const larger = LARGER[tool.id]
    if (larger) sizes.push(await tokensOf(key.key, tool.id, larger))
  }
  const table = sizes.map(({ tool, whole, tokens }) => `${tool} ${whole} ${tokens}`).join('\n')
  if (process.env.SIZES_TO)
    writeFileSync(process.env.SIZES_TO, sizes.map(({ text, ...n }) => `### ${JSON.stringify(n)}\n${text}\n`).join('\n'))
  for (const { tool, whole, tokens } of sizes) {
    expect(tokens, `${tool}\n${table}`).toBeLessThanOrEqual(3_000)
    expect(tokens, table).toBeLessThanOrEqual(whole)
  }
})

it('homes are shown with what a person asks of them', async () => {
  const { key } = await makeCaller(100_000, { rpm: 10_000 })
  const { text } = await tokensOf(key.key, 'property_search', LARGER.property_search ?? {})
  const heading = text.split('\n').find((line) => line.startsWith('rows: ')) ?? ''
  for (const column of ['price', 'size', 'bedrooms', 'address', 'url']) expect(heading).toContain(`"${column}"`)
  expect(text).toMatch(/^\[step 1, .*result_read/)
  expect(text.split('\n').filter((line) => line.startsWith('['))).toHaveProperty('length', expect.any(Number))
  expect(text.split('\n').length).toBeGreaterThan(30)
})
