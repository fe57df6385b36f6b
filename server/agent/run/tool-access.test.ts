import { describe, expect, it } from 'vitest'
import { everyTool, runWith } from '../../../tests/support/flow-run'
import { nearestNames } from './nearest-name'
import { readPlan } from './plan'
import { findUsableTool, paramsHint, parseToolArguments, whyNotArguments } from './tool-access'
import { findTools } from './tools-find'

const run = runWith({ ownerId: 1, calls: [] })
const ids = everyTool.map(({ id }) => id)

describe('the hint for a tool that does not exist', () => {
  it.each([
    ['search_web', 'web_search'],
    ['websearch', 'web_search'],
    ['get_crypto_prices', 'crypto_get_prices'],
    ['browser_open', 'web_read_url'],
    ['python', 'pod_run'],
    ['google', 'web_search'],
    ['dataset_sql', 'dataset_query'],
    ['publish_site', 'site_publish'],
  ])('names what %s means: %s', (wrong, right) => {
    expect(nearestNames(wrong, ids)).toContain(right)
    const found = findUsableTool(run, wrong, {})
    expect(!found.ok && found.refusal.error?.message).toContain(`${right}({`)
  })

  it('names nothing where nothing is like it', () => {
    expect(nearestNames('qqqqq', ids)).toEqual([])
  })
})

it('a parameter that does not exist is answered with the one that was meant, and the whole call', () => {
  const tool = everyTool.find(({ id }) => id === 'forum_search')
  if (!tool) throw new Error('There is no forum_search.')
  const hint = paramsHint(tool, { querry: 'tide', communty: 'sailing' })
  expect(hint).toContain('You may mean query where you wrote querry.')
  expect(hint).toContain('You may mean community where you wrote communty.')
  expect(hint).toContain('The call is forum_search({query: string, community?: string')
  expect(paramsHint(tool, { query: 'tide' })).toBe('')
})

it('no parameter is named that the value does not fit', () => {
  const tool = everyTool.find(({ id }) => id === 'microblog_user_posts')
  if (!tool) throw new Error('There is no microblog_user_posts.')
  expect(paramsHint(tool, { username: 'nasa' })).not.toContain('You may mean')
  expect(paramsHint(tool, { userid: '11348282' })).toContain('You may mean userId where you wrote userid.')
})

describe('arguments', () => {
  it.each([
    ['{"query": "a "b" c"}', 'a "⟪here⟫b" c'],
    ['{"query": "a"', '"a"⟪here⟫'],
    ["{'query': 'a'}", "{⟪here⟫'query'"],
    ['{"query": "a",}', '"a",⟪here⟫}'],
  ])('that are no JSON are shown with the place: %s', (text, place) => {
    expect(parseToolArguments(text)).toBeNull()
    expect(whyNotArguments(text)).toContain(place)
    expect(whyNotArguments(text)).toMatch(/at character \d+/)
  })

  it('that are JSON within JSON are read', () => {
    expect(parseToolArguments(JSON.stringify('{"a":1}'))).toEqual({ a: 1 })
    expect(whyNotArguments('[1]')).toContain('not a list')
  })
})

describe('tools_find', () => {
  const found = (given: Record<string, unknown>) =>
    (findTools(run, given).output as { tools: { name: string }[] } | undefined)?.tools.map(({ name }) => name)

  it.each([
    [{ names: ['pod_run', 'site_read'] }, ['pod_run', 'site_read']],
    [{ names: ['site_'] }, ['site_publish', 'site_list', 'site_read', 'site_rollback', 'site_take_down']],
    [{ names: 'pod_run' }, ['pod_run']],
    [{ names: ['crypto'] }, ['crypto_get_prices', 'crypto_get_market_data', 'crypto_search', 'crypto_price_history']],
  ])('finds by names: %j', (given, expected) => {
    expect(found(given)).toEqual(expected)
  })

  it('finds by words, and says what is nearest where nothing fits', () => {
    expect(found({ words: 'publish a web page' })).toContain('site_publish')
    expect(found({ words: 'transcript of a video' })?.[0]).toBe('videosite_transcript')
    expect(findTools(run, { names: ['publishsite'] }).error?.message).toContain('site_publish')
    expect(findTools(run, {}).error?.code).toBe('invalid_request')
  })
})

describe('a plan', () => {
  it('may have plain texts as steps', () => {
    const read = readPlan(run, { summary: 'Look it up.', steps: ['Search with web_search', 'Write the answer'] })
    expect(read).toMatchObject({
      ok: true,
      plan: {
        details: { steps: [{ title: 'Search with web_search', tools: ['web_search'], credits: 1 }, { tools: [] }] },
      },
    })
    expect(readPlan(run, { steps: ['Search', 'Answer'] })).toMatchObject({
      ok: true,
      plan: { details: { summary: 'Search' } },
    })
  })

  it('may be one text', () => {
    expect(readPlan(run, { plan: 'Search, then answer.' })).toMatchObject({ ok: true })
    expect(readPlan(run, { summary: 'S', steps: '1. Search' })).toMatchObject({
      ok: true,
      plan: { markdown: 'S\n\n1. Search' },
    })
  })
})
