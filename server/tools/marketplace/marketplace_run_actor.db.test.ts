import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callTool } from '../../../tests/support/call-tool'
import { readOwnerMoney } from '../../../tests/support/ledger'
import { makeCaller } from '../../../tests/support/owners'
import { withSandboxProviders } from '../../../tests/support/providers'
import { runToolUnbilled, toolFailureOf } from '../../../tests/support/run-tool'
import { getReceipt } from '../../credits/receipts'
import { findLedgerDifferences } from '../../credits/verify'
import { mainPool } from '../../db'
import { env } from '../../env'
import { uuidv7 } from '../../kit/id'
import type { AnyTool, ToolContext } from '../define'
import { describeParams } from '../params'
import { RUN_TIMINGS } from './follow-run'
import { marketplaceRunActor } from './marketplace_run_actor'
import { marketplaceSearchActors } from './marketplace_search_actors'
import { type ActorRunRequest, runActor } from './run-actor'

const sandbox = withSandboxProviders()

const QUICK = {
  ...RUN_TIMINGS,
  runMs: 1_200,
  abortMs: 1_000,
  lastMs: 500,
  pollS: 0,
  minPollMs: 20,
  costReadEveryMs: 10,
}
const input = { query: 'boats' }
const id = (name: string) => `tide/${name}`

/** The tool with short times and its own bound. */
const quick = (runMs = QUICK.runMs): AnyTool => ({
  ...marketplaceRunActor,
  run: (request: never, context: ToolContext) => runActor(context, request as ActorRunRequest, { ...QUICK, runMs }),
})
const run = (params: object, signal?: AbortSignal) => runToolUnbilled(quick(), { input, ...params }, signal)

const calls = async () =>
  ((await (await fetch(`${sandbox.url()}/__calls`)).json()) as { byPath: Record<string, number> }).byPath
const isAborted = async () => Object.keys(await calls()).some((path) => path.endsWith('/abort'))

beforeAll(() => {
  // A credit is a hundredth of a cent here, so that costs can be read.
  Object.assign(env(), { CREDITS_PER_USD: 10_000, MARKUP: 1.2 })
})
beforeEach(() => fetch(`${sandbox.url()}/__reset`, { method: 'POST' }))
afterEach(async () => {
  expect(await findLedgerDifferences()).toEqual([])
})

describe('a run', () => {
  test('returns at most the requested items, and what it cost', async () => {
    const { result, spentUsd } = await run({ actorId: id('places'), maxItems: 10 })
    expect(result.rows).toHaveLength(10)
    expect((result.rows as unknown[])[0]).toEqual({ title: 'boats 1', url: 'https://example.com/boats/1', price: 10 })
    expect(result).toMatchObject({
      totalRows: 10,
      nextCursor: null,
      isPartial: false,
      run: { status: 'SUCCEEDED', costUsd: 0.041, startedAt: '2026-01-01T00:00:00.000Z' },
    })
    expect(spentUsd.at(-1)).toBe(0.041)
  })

  test('under a cap that pays for fewer items says that there may be more', async () => {
    const { result } = await run({ actorId: id('places'), maxItems: 10, maxCostUsd: 0.02 })
    expect(result).toMatchObject({ isPartial: true, run: { status: 'SUCCEEDED', costUsd: 0.017 } })
    expect(result.rows).toHaveLength(4)
  })

  test.each([
    ['an actor paid by the result', { actorId: id('prices'), maxItems: 30 }, 30, 0.15],
    ['an actor paid by the result, under a cap', { actorId: id('prices'), maxItems: 30, maxCostUsd: 0.05 }, 10, 0.05],
    ['a free actor', { actorId: id('pages'), maxItems: 5 }, 5, 0.0123],
    ['an actor that reports its cost late', { actorId: id('late-bill'), maxItems: 10 }, 10, 0.041],
    ['an actor that never reports it', { actorId: id('no-bill'), maxItems: 10 }, 10, 0.041],
    ['an actor that finds nothing', { actorId: id('empty'), maxItems: 10 }, 0, 0.001],
  ])('of %s has its items and cost', async (_name, params, rows, costUsd) => {
    const { result, spentUsd } = await run(params)
    expect(result.rows).toHaveLength(rows)
    expect(result.run).toMatchObject({ status: 'SUCCEEDED', costUsd })
    expect(spentUsd.at(-1)).toBeCloseTo(costUsd, 9)
  })

  test('reads more items than one page', async () => {
    const { result } = await run({ actorId: id('pages'), maxItems: 1_000 })
    expect(result).toMatchObject({ totalRows: 120 })
    expect(result.rows).toHaveLength(120)
  })

  test('that failed is an error with its reason and its cost', async () => {
    const error = await toolFailureOf(run({ actorId: id('failing') }))
    expect(error.message).toBe("The actor's run failed: The site is closed. It cost $0.009.")
    expect(error.detail).toMatchObject({ run: { status: 'FAILED', costUsd: 0.009 } })
  })

  test('out of time is stopped at the provider, and reported with its cost', async () => {
    const error = await toolFailureOf(run({ actorId: id('sleeper') }))
    expect(error.message).toMatch(/did not end in time and was stopped.* It cost \$0\.009/)
    expect(error.detail).toMatchObject({ run: { status: 'ABORTED' } })
    expect(await isAborted()).toBe(true)
  })

  test('that costs more than its cap is stopped at the provider, and gives the items that it has', async () => {
    const { result, spentUsd } = await run({ actorId: id('runaway'), maxCostUsd: 0.1 })
    expect(result).toMatchObject({ isPartial: true, run: { status: 'ABORTED' } })
    expect(result.rows).toHaveLength(2)
    expect(spentUsd.at(-1)).toBe((result.run as { costUsd: number }).costUsd)
    expect(await isAborted()).toBe(true)
  })

  test('whose time budget ends is stopped at the provider all the same', async () => {
    const cut = new AbortController()
    setTimeout(() => cut.abort(), 150)
    const error = await toolFailureOf(run({ actorId: id('sleeper') }, cut.signal))
    expect(error.detail).toMatchObject({ run: { status: 'ABORTED', costUsd: 0.009 } })
    expect(await isAborted()).toBe(true)
  })

  test.each([
    ['nosuchactor', {}, /no actor nosuchactor/],
    [id('rented'), {}, /must be rented/],
    [id('places'), { input: {} }, /Field input\.query is required/],
    [id('sandbox-401'), {}, /denied access to this gateway/],
    [id('sandbox-402'), {}, /no quota left/],
    [id('sandbox-html'), {}, /unknown format/],
  ])('of %s with %j is not started', async (actorId, changed, message) => {
    const error = await toolFailureOf(run({ actorId, ...changed }))
    expect(error.message).toMatch(message)
    expect(Object.keys(await calls()).some((path) => path.includes('/actor-runs/'))).toBe(false)
  })
})

describe('billed,', () => {
  async function caller(credits: number) {
    const { owner, key } = await makeCaller(credits)
    const ask = (params: object, tool?: AnyTool) => ({
      tool: tool ?? quick(),
      params: tool ? params : { input, ...params },
      payer: { ownerId: owner.id, keyId: key.id },
      granted: true,
      id: uuidv7(),
      channel: 'rest' as const,
    })
    return { owner, ask }
  }

  test('a run costs its actual cost times the markup, rounded up, and the receipt shows both', async () => {
    const { owner, ask } = await caller(10_000)
    const call = ask({ actorId: id('places'), maxItems: 10 })
    expect(await callTool(call)).toMatchObject({ kind: 'ran', charged: Math.ceil(0.041 * 10_000 * 1.2) })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 10_000 - 492, held: 0, charged: 492 })
    expect(await getReceipt(owner.id, call.id)).toMatchObject({
      detail: { costUsd: 0.041, markup: 1.2 },
    })
  })

  test('without the derived cap in the balance nothing is started', async () => {
    const { owner, ask } = await caller(500)
    const error = await callTool(ask({ actorId: id('places'), maxItems: 100 })).catch((e) => e)
    expect(error).toMatchObject({ code: 'insufficient_credits', charge: undefined })
    expect(Object.keys(await calls()).some((path) => path.endsWith('/runs'))).toBe(false)
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 500, charged: 0 })
  })

  test('a run that went over its caller’s cap is charged the cap; the rest is the operator’s loss', async () => {
    const { owner, ask } = await caller(10_000)
    expect(await callTool(ask({ actorId: id('overrun'), maxCostUsd: 0.1 }))).toMatchObject({ charged: 1_200 })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 8_800, held: 0, charged: 1_200 })
    const { rows } = await mainPool().query('SELECT detail FROM receipt WHERE owner_id = $1', [owner.id])
    expect(rows[0]?.detail).toMatchObject({ costUsd: expect.closeTo(0.3), loss: 2_400 })
  })

  test.each([
    ['failed', { actorId: id('failing') }, 0.009],
    ['was stopped for time', { actorId: id('sleeper') }, 0.009],
  ])('a run that %s costs what it used', async (_name, params, costUsd) => {
    const { ask } = await caller(10_000)
    const error = await callTool(ask(params)).catch((e) => e)
    expect(error).toMatchObject({ code: 'upstream_error', charge: { credits: Math.ceil(costUsd * 12_000) } })
  })

  test('a refused input, an unknown actor and a failing provider cost nothing, and say so', async () => {
    const { owner, ask } = await caller(10_000)
    for (const params of [
      { actorId: id('places'), input: {} },
      { actorId: 'nosuchactor' },
      { actorId: 'nosuchactor', maxCostUsd: 0.1 },
      { actorId: id('sandbox-html') },
    ]) {
      const error = await callTool(ask(params)).catch((e) => e)
      expect(error).toMatchObject({ code: 'upstream_error', charge: { credits: 0 } })
    }
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 10_000, held: 0 })
  })

  test('a cap too low for one item is refused without a charge', async () => {
    const { ask } = await caller(10_000)
    const error = await callTool(ask({ actorId: id('prices'), maxCostUsd: 0.001 })).catch((e) => e)
    expect(error).toMatchObject({ code: 'invalid_request', charge: undefined })
    expect(error.message).toMatch(/at least 0\.005/)
  })

  test('a search costs nothing, and needs a credit', async () => {
    const rich = await caller(100)
    const params = { query: 'x' }
    expect(await callTool(rich.ask(params, marketplaceSearchActors))).toMatchObject({ charged: 0 })
    const poor = await caller(0)
    const error = await callTool(poor.ask(params, marketplaceSearchActors)).catch((e) => e)
    expect(error).toMatchObject({ code: 'insufficient_credits', charge: undefined })
  })
})

describe('refuses', () => {
  test.each([
    { actorId: undefined },
    { actorId: 'a b' },
    { actorId: 'a/b/c' },
    { input: undefined },
    { input: [] },
    { input: 'x' },
    { maxItems: 0 },
    { maxItems: 1.5 },
    { maxCostUsd: 0 },
    { maxCostUsd: 25.01 },
    { maxCostUsd: '1' },
    { timeout: 5 },
  ])('%j', (changed) => {
    expect(marketplaceRunActor.params.safeParse({ actorId: 'a', input: {}, ...changed }).success).toBe(false)
  })
})

test('lists its parameters as the contract has them', () => {
  expect(describeParams(marketplaceRunActor)).toMatchObject([
    { name: 'actorId', type: 'string', required: true },
    { name: 'input', type: 'object', required: true },
    { name: 'maxItems', type: 'integer', required: false, description: expect.stringMatching(/Default 100/) },
    {
      name: 'maxCostUsd',
      type: 'number',
      required: false,
      description: expect.stringMatching(/More than 0, at most 25\.$/),
    },
  ])
})
