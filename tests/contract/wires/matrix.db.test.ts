import { describe, expect, it } from 'vitest'
import { withSandbox } from '../../support/api'
import { makeChatter } from '../../support/chat'
import { askIn, creditsForScene, expectOneCharge, readIn } from '../../support/wires/calls'
import { sceneModel, withFakeProviders } from '../../support/wires/fake-providers'
import { type Scene, WIRE_NAMES } from '../../support/wires/scene'

/**
 * Every wire in by every wire out: what a client of one says reaches a provider of the other, and
 * what that says comes back, with one charge that ledger and receipt agree with.
 */

const providers = withFakeProviders()
withSandbox()

const CELLS = WIRE_NAMES.flatMap((from) =>
  WIRE_NAMES.flatMap((to) => [false, true].map((isStream) => ({ from, to, isStream }))),
)
const TEXT = ['Good ', 'day ', 'to ', 'you.']
const USAGE = { input: 1_000, output: 40 }
const SCHEMA = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
  additionalProperties: false,
}
const PNG = 'data:image/png;base64,iVBORw0KGgo='
const CALLS = [
  { id: 'toolu_01A', name: 'weather', args: ['{"city"', ': "Oslo", "days"', ': 3}'] },
  { id: 'toolu_01B', name: 'news', args: ['{"topic"', ': "sea"}'] },
]
const INPUTS = [{ city: 'Oslo', days: 3 }, { topic: 'sea' }]

describe.each(CELLS)('from $from to $to, stream $isStream', ({ from, to, isStream }) => {
  const model = sceneModel(to)
  const ask = async (scene: Scene, more: object = {}) => {
    const caller = await makeChatter()
    providers.play(scene)
    const reply = await askIn(from, caller, { model, text: 'Hello', limit: 500, ...more }, isStream)
    const reading = readIn(from, reply)
    expect(reading.model).toBe(model)
    const receipt = await expectOneCharge(caller, reply, creditsForScene(scene.usage))
    expect(receipt).toMatchObject({
      channel: from,
      product: 'chat',
      what: model,
      status: 'ok',
      detail: { inputTokens: scene.usage.input, outputTokens: scene.usage.output, estimated: false },
    })
    return { reading, receipt, seen: providers.seen() }
  }

  it('text', async () => {
    const { reading, seen } = await ask({ text: TEXT, usage: USAGE })
    expect(reading).toMatchObject({ text: TEXT.join(''), calls: [], stop: 'end', usage: USAGE })
    expect(seen).toMatchObject({ text: 'Hello', limit: 500, tools: [], image: null, schema: null })
  })

  it('a call of a tool, and its result', async () => {
    const [call] = CALLS
    const first = await ask({ text: TEXT, calls: CALLS.slice(0, 1), usage: USAGE }, { tools: ['weather', 'news'] })
    expect(first.seen.tools).toEqual(['weather', 'news'])
    expect(first.reading).toMatchObject({
      text: TEXT.join(''),
      calls: [{ id: call?.id, name: 'weather', input: INPUTS[0] }],
      stop: 'tools',
    })
    const earlier = { answer: first.reading, results: { toolu_01A: 'Rain.' } }
    const { seen } = await ask({ text: ['Take an umbrella.'], usage: USAGE }, { tools: ['weather'], earlier })
    expect(seen.results).toEqual({ toolu_01A: 'Rain.' })
  })

  it('parallel calls, whose pieces alternate', async () => {
    const { reading } = await ask({ calls: CALLS, usage: USAGE }, { tools: ['weather', 'news'] })
    expect(reading).toMatchObject({
      calls: CALLS.map(({ id, name }, i) => ({ id, name, input: INPUTS[i] })),
      stop: 'tools',
      text: '',
    })
    const earlier = { answer: reading, results: { toolu_01A: 'Rain.', toolu_01B: 'Waves.' } }
    const { seen } = await ask({ text: TEXT, usage: USAGE }, { tools: ['weather', 'news'], earlier })
    expect(seen.results).toEqual(earlier.results)
  })

  it('an image', async () => {
    const { seen, reading } = await ask({ text: TEXT, usage: USAGE }, { image: PNG })
    expect(seen).toMatchObject({ text: 'Hello', image: PNG })
    expect(reading.text).toBe(TEXT.join(''))
  })

  it('reasoning, which goes back as it came', async () => {
    const thought = { text: ['Rain ', 'is likely.'], proof: 'EqRkCkYIBxgC+signed/proof==' }
    const usage = { ...USAGE, reasoning: 12 }
    const asked = { effort: 'high', limit: 40_000, tools: ['weather'] }
    const first = await ask({ thought, text: TEXT, calls: CALLS.slice(0, 1), usage }, asked)
    expect(first.seen.effort).toBe('high')
    expect(first.reading).toMatchObject({ thought: thought.text.join(''), text: TEXT.join(''), stop: 'tools' })
    const earlier = { answer: first.reading, results: { toolu_01A: 'Rain.' } }
    const { seen } = await ask({ text: TEXT, usage: USAGE }, { ...asked, earlier })
    expect(seen).toMatchObject({ proof: thought.proof, results: earlier.results })
  })

  it('structured output', async () => {
    const { seen, reading } = await ask({ text: ['{"answer"', ':"yes"}'], usage: USAGE }, { schema: SCHEMA })
    expect(seen.schema).toEqual(SCHEMA)
    expect(JSON.parse(reading.text)).toEqual({ answer: 'yes' })
  })

  it('usage with cached tokens, which cost their own price', async () => {
    const usage = { input: 9_000, output: 40, cached: 8_000, written: 500 }
    const { reading, receipt } = await ask({ text: TEXT, usage }, { text: 'A long story. '.repeat(3_000) })
    expect(reading.usage).toMatchObject(usage)
    expect(receipt.detail).toMatchObject({
      cachedInputTokens: 8_000,
      cacheWriteTokens: 500,
      creditsPer1mInput: expect.any(Number),
      creditsPer1mCachedInput: expect.any(Number),
      creditsPer1mCacheWrite: expect.any(Number),
    })
    expect(creditsForScene(usage)).toBeLessThan(creditsForScene({ input: 9_000, output: 40 }) / 2)
  })
})
