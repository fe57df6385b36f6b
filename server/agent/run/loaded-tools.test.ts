import { describe, expect, it, test } from 'vitest'
import { everyTool, type MadeCall, runWith } from '../../../tests/support/flow-run'
import { fromJsonb } from '../../../tests/support/jsonb'
import { agentGroups } from '../../agent-tools/registry'
import { countTokens } from '../../models/tokens'
import { functionsFor } from './functions'
import { loadedNames, TOOLS_FIND } from './loaded-tools'
import { definitionTokens, firstTools, functionOf, maxToolTokens, missingContext } from './offered-tools'
import type { AgentRun } from './state'
import { systemPromptFor } from './system-prompt'

const runOf = (goal: string, reads: MadeCall[] = [], contextSize = 200_000): AgentRun => {
  const run = runWith({ ownerId: 1, goal, reads, calls: [] })
  return { ...run, model: { ...run.model, contextSize }, steps: reads.length > 0 ? run.steps : [] }
}
const namesOf = (run: AgentRun) => functionsFor(run).map(({ function: { name } }) => name)

/** “What does ether cost?” in ten languages. */
const ETHER = [
  'What does ether cost?',
  'Was kostet Ether?',
  '¿Cuánto cuesta el ether?',
  'Combien coûte l’ether ?',
  'Quanto costa un ether?',
  'Quanto custa o ether?',
  'Ile kosztuje ether?',
  'Сколько стоит эфир?',
  '以太币多少钱？',
  'イーサリアムはいくらですか？',
]

describe('the first step', () => {
  it.each(ETHER)('can call a coin tool in any language and in a small context: %s', (goal) => {
    for (const contextSize of [16_384, 200_000]) {
      const run = runOf(goal, [], contextSize)
      expect(namesOf(run)).toEqual(expect.arrayContaining(['tools_call', 'tools_find', 'web_search', 'web_read_url']))
      expect(systemPromptFor(run)).toContain('crypto_get_prices 3 {coinIds: ["bitcoin","ethereum"], currencies?}')
    }
  })

  it('has a way into each group: a definition, or its parameters in the list', () => {
    const prompt = systemPromptFor(runOf('Work.'))
    const defined = new Set(namesOf(runOf('Work.')))
    for (const { id, tools } of agentGroups().filter((group) => !['site'].includes(group.id))) {
      const ways = tools.filter((tool) => defined.has(tool.id) || new RegExp(`\\b${tool.id} [\\d~]+ \\{`).test(prompt))
      expect(ways.length, id).toBeGreaterThan(0)
    }
  })

  it.each(['What does bitcoin cost?', 'Book me a table', ...ETHER])('takes at most 2,400 tokens: %s', async (goal) => {
    const run = runOf(goal)
    const sent = [JSON.stringify(functionsFor(run)), systemPromptFor(run), goal]
    const sizes = await Promise.all(sent.map((text) => countTokens(text)))
    expect(sizes.reduce((sum, size) => sum + size, 100)).toBeLessThanOrEqual(2_400)
  })

  it('is the same whatever the words of a goal, but for names that all languages share', () => {
    expect(namesOf(runOf('book me a table'))).toEqual(namesOf(runOf('Reserviere mir einen Tisch')))
    expect(namesOf(runOf('¿Qué dicen en Reddit?'))).toEqual(expect.arrayContaining(['forum_post', 'forum_community']))
    expect(namesOf(runOf('Lies https://www.youtube.com/watch?v=x.'))).toContain('videosite_transcript')
  })

  it('names every tool with its price once', () => {
    const prompt = systemPromptFor(runOf('Look around.'))
    for (const { id } of everyTool) expect(prompt.split(new RegExp(`\\b${id} [\\d~]`)).length - 1, id).toBe(1)
    expect(prompt.split('\n').filter((line) => /:\s*$/.test(line))).toEqual(["The owner's settings:"])
  })
})

describe('what a run has read or called', () => {
  const search = { name: 'property_suggestions', input: { prefix: 'a', location: 'es' }, output: { rows: [] } }

  it('brings the tools that follow a call, at the end', () => {
    const first = namesOf(runOf('Find homes.'))
    const later = namesOf(runOf('Find homes.', [search]))
    expect(later.slice(0, first.length)).toEqual(first)
    expect(later.slice(first.length)).toEqual([
      'property_suggestions',
      'property_search',
      'property_locations',
      'property_details',
    ])
  })

  it('brings what was found', () => {
    const found = { name: TOOLS_FIND, output: { tools: [{ name: 'site_publish' }, { name: 'no_tool' }] } }
    expect(loadedNames(runOf('A site.', [found])).at(-1)).toBe('site_publish')
  })

  it('brings the ways to the rest of a result that was cut', () => {
    const rows = Array.from({ length: 900 }, (_, i) => ({
      title: `Title ${i}`,
      text: `Words of ${i} about it. `.repeat(9),
    }))
    const names = loadedNames(runOf('Search.', [{ name: 'forum_search', input: { query: 'x' }, output: { rows } }]))
    expect(names).toEqual(expect.arrayContaining(['result_read', 'dataset_create', 'dataset_export']))
    expect(loadedNames(runOf('Search.'))).not.toContain('result_read')
  })

  it('defines nothing for a result of which only columns were left out', () => {
    const rows = [1, 2, 3].map((n) => ({ title: `Post ${n}`, author: 'a', flair: 'b', url: `https://a.example/${n}` }))
    const run = runOf('Search.', [{ name: 'forum_search', input: { query: 'x' }, output: { rows } }])
    expect(loadedNames(run)).not.toContain('result_read')
    const few = { ...run, tools: everyTool.filter(({ id }) => id.startsWith('forum_')) }
    expect(namesOf(few)).toContain('result_read')
    expect(namesOf(few)).not.toContain('tools_call')
  })

  it('brings the tools that an unknown name may have meant', () => {
    const run = runOf('Look.', [{ name: 'get_coin_price' }])
    const error = { code: 'unknown_tool', message: 'There is no such tool.' }
    const steps = run.steps.map((step) => (step.kind === 'tool' ? { ...step, output: null, error } : step))
    expect(loadedNames({ ...run, steps })).toContain('crypto_get_prices')
  })

  it('is the same after its rows were read again', () => {
    const found = { name: TOOLS_FIND, output: { tools: [{ price: 'free', name: 'pod_run' }] } }
    const run = runOf('Find homes.', [found, search])
    const again = { ...run, steps: run.steps.map((step) => fromJsonb(step)) } as AgentRun
    expect(JSON.stringify(functionsFor(again))).toBe(JSON.stringify(functionsFor(run)))
    expect(systemPromptFor(again)).toBe(systemPromptFor(run))
  })

  it('is left out where a small context is full, but for the ways in', () => {
    const reads = agentGroups().flatMap(({ tools }) => tools.map(({ id }) => ({ name: id, output: {} })))
    const run = runOf('Everything.', reads, 16_384)
    const names = loadedNames(run)
    const size = names.reduce((sum, id) => sum + definitionTokens(everyTool.find((tool) => tool.id === id) ?? null), 0)
    expect(size).toBeLessThanOrEqual(maxToolTokens(run))
    expect(names).toEqual(expect.arrayContaining(firstTools(run).map(({ id }) => id)))
    expect(names).toEqual(expect.arrayContaining(['dataset_create', 'dataset_export']))
  })
})

test('a run with few tools has all of them at once, and nothing to find', () => {
  const run = { ...runOf('Look.'), tools: everyTool.filter(({ capability }) => capability === 'crypto') }
  expect(namesOf(run)).toEqual(expect.arrayContaining(['crypto_get_prices', 'crypto_search']))
})

test.each([4_000, 8_000, 12_000, 16_000, 65_536])(
  'definitions leave place for the work in %i tokens',
  async (contextSize) => {
    const offer = { tools: everyTool, model: { contextSize }, goal: 'Find the cheapest flat.' }
    if (missingContext(offer)) return
    const sizes = await Promise.all(firstTools(offer).map((tool) => countTokens(JSON.stringify(functionOf(tool)))))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(contextSize * 0.3)
    expect(sizes.length).toBeGreaterThanOrEqual(2)
  },
)

test('no definition is much longer than its estimate', async () => {
  for (const tool of everyTool)
    expect(await countTokens(JSON.stringify(functionOf(tool))), tool.id).toBeLessThanOrEqual(
      definitionTokens(tool) + 10,
    )
})

test('the context that a run needs is enough for it', () => {
  for (const goal of ['Find it.', 'many words '.repeat(3_000)]) {
    const offer = { tools: everyTool, goal }
    const missing = missingContext({ ...offer, model: { contextSize: 1_000 } })
    expect(missing?.neededTokens).toBeGreaterThan(1_000)
    expect(missingContext({ ...offer, model: { contextSize: missing?.neededTokens ?? 0 } })).toBeNull()
  }
})
