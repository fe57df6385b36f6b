import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeTool } from '../../server/catalog/describe'
import { CAPABILITIES } from '../../server/tools/define'
import { outputJsonSchema, paramsJsonSchema } from '../../server/tools/params'
import { availableTools, findTool, toolGroups } from '../../server/tools/registry'
import { closeChromium } from '../../server/tools/web/chromium'
import { callQuery, withSandbox } from '../support/api'
import { EXAMPLES } from '../support/examples'
import { makeCaller } from '../support/owners'
import { SOURCE_ROOT } from '../support/source-imports'

const sandbox = withSandbox()
afterAll(closeChromium)

const same = (ids: string[], price: number | null) => Object.fromEntries(ids.map((id) => [id, price]))

/** The price list of the interface: credits a call; null is metered. */
const PRICES: Record<string, number | null> = {
  web_search: 1,
  web_read_url: 1,
  web_screenshot: 2,
  crypto_get_prices: 3,
  crypto_get_market_data: 5,
  ...same(['forum_search', 'forum_post', 'forum_community', 'forum_domain_posts', 'forum_user'], 5),
  ...same(
    [
      'microblog_user',
      'microblog_user_posts',
      'microblog_post_comments',
      'microblog_search',
      'microblog_post',
      'microblog_followers',
      'microblog_verified_followers',
    ],
    15,
  ),
  ...same(['videosite_video_info', 'videosite_comments', 'videosite_transcript', 'videosite_search'], 15),
  ...same(
    [
      'property_suggestions',
      'property_search',
      'property_details',
      'property_locations',
      'property_agency_profile',
      'property_agency_locations',
    ],
    135,
  ),
  ...same(['image_generate', 'image_analyze', 'video_generate'], null),
  ...same(['marketplace_search_actors', 'marketplace_actor_details', 'marketplace_run_actor'], null),
}

/** How the interface names the groups; a tool's id begins with one of these. */
const PREFIXES: Record<string, string[]> = { media: ['image', 'video'] }

const every = toolGroups.flatMap((group) => group.tools.map((tool) => ({ id: tool.id, tool, group })))

/** Checks a value against a schema as declared, and refuses fields it does not declare at its top. */
function expectValid(schema: z.ZodType, value: unknown): void {
  const declared = schema instanceof z.ZodObject && !schema.def.catchall ? schema.strict() : schema
  const { error } = declared.safeParse(value)
  expect(error?.issues ?? []).toEqual([])
}

describe.each(every)('$id', ({ id, tool, group }) => {
  test('stands in the file of its name, under its group’s prefix', () => {
    expect(readdirSync(path.join(SOURCE_ROOT, 'server/tools', group.id))).toContain(`${id}.ts`)
    expect(PREFIXES[group.id] ?? [group.id]).toContain(id.split('_')[0])
    expect(id).toMatch(/^[a-z]+(_[a-z]+)+$/)
  })

  test('has a test beside it', () => {
    const files = readdirSync(path.join(SOURCE_ROOT, 'server/tools', group.id))
    expect(
      files.filter((file) => /^\w+(\.db|\.process)?\.test\.ts$/.test(file)).map((file) => file.split('.')[0]),
    ).toContain(id)
  })

  test('costs what the price list says', () => {
    expect(PRICES).toHaveProperty(id)
    expect(describeTool(tool)).toMatchObject({
      credits: PRICES[id],
      pricing: PRICES[id] === null ? 'metered' : 'fixed',
    })
  })

  test('has a complete catalogue entry', () => {
    const entry = describeTool(tool)
    expect(entry).toMatchObject({ id, group: group.label })
    expect(CAPABILITIES).toContain(tool.capability)
    expect(entry.label).toMatch(/^[A-Z].{2,40}$/)
    expect(entry.description).toMatch(/^[A-Z].{20,}\.$/s)
    expect(entry.params.map((p) => p.name)).toEqual(Object.keys(tool.params.shape))
    for (const param of entry.params) {
      expect(param.description, param.name).toMatch(/^\S.*\.$/s)
      expect(param.type, param.name).toMatch(/^((string|number|integer|boolean|object|unknown)(\[\])?|"|\()/)
    }
  })

  test('has schemas that say nothing is allowed beyond them', () => {
    expect(paramsJsonSchema(tool)).toMatchObject({ type: 'object', additionalProperties: false })
    expect(outputJsonSchema(tool)).toMatchObject({ type: 'object' })
    const names = Object.keys(tool.params.shape)
    for (const name of ['service', 'tool', 'params']) expect(names).not.toContain(name)
  })

  test('has an example that fits', () => {
    expect(EXAMPLES, 'add a call to tests/support/examples.ts').toHaveProperty(id)
    expect(tool.params.safeParse(EXAMPLES[id]?.(sandbox.url())).error).toBeUndefined()
  })

  test('refuses a parameter nobody knows, and __proto__', () => {
    const example = EXAMPLES[id]?.(sandbox.url()) ?? {}
    expect(tool.params.safeParse({ ...example, nobodyKnowsThis: 1 }).success).toBe(false)
    const sly: unknown = JSON.parse(`{"__proto__": {}, ${JSON.stringify(example).slice(1)}`.replace(', }', '}'))
    expect(tool.params.safeParse(sly).success).toBe(false)
  })

  test('refuses every parameter of a wrong type', () => {
    const example = EXAMPLES[id]?.(sandbox.url()) ?? {}
    for (const name of Object.keys(tool.params.shape)) {
      for (const wrong of [Symbol.iterator, null])
        expect(tool.params.safeParse({ ...example, [name]: wrong }).success, name).toBe(false)
    }
  })
})

describe.each(availableTools().map(({ id }) => id))('%s in the sandbox', (id) => {
  const tool = findTool(id)
  const example = () => EXAMPLES[id]?.(sandbox.url()) ?? {}

  test('answers its example with what its output schema declares', async () => {
    const { key } = await makeCaller()
    const { status, body } = await callQuery(key.key, id, example())
    expect(status, JSON.stringify(body)).toBe(200)
    const { service, ...result } = body
    expect(service).toEqual({ credits_charged: expect.any(Number) })
    expectValid(tool?.output ?? z.never(), result)
  })

  test('answers the same twice, but for hosted files', async () => {
    const { key } = await makeCaller()
    const plain = (body: unknown) => JSON.stringify(body).replace(/[0-9a-f]{32}/g, '')
    const [first, second] = [await callQuery(key.key, id, example()), await callQuery(key.key, id, example())]
    expect(plain(second.body)).toBe(plain(first.body))
  })
})

test('there is an example for each tool and for nothing else', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(every.map((t) => t.id).sort())
})

test('the sandbox has every tool: nothing is switched off where no key is needed', () => {
  expect(availableTools().map((t) => t.id)).toEqual(every.map((t) => t.id))
})
