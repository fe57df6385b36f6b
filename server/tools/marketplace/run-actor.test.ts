import { expect, test } from 'vitest'
import { withProviderAt } from '../../../tests/support/providers'
import { toolFailureOf } from '../../../tests/support/run-tool'
import { RUN_TIMINGS } from './follow-run'
import { runActor } from './run-actor'

const provider = withProviderAt((url) => ({ APIFY_BASE_URL: url, APIFY_TOKEN: 'k' }))

const run = (given: object) => ({ body: { data: { id: 'r', status: 'RUNNING', defaultDatasetId: 'd', ...given } } })
const quick = { ...RUN_TIMINGS, runMs: 60_000, abortMs: 60_000, pollS: 0, minPollMs: 10, costReadEveryMs: 10 }

/** Runs an actor of a provider that responds by step; costs go to `spent`, newest last. */
function start(actorId: string, steps: { get: object; items: object; abort?: object }) {
  const spent: number[] = []
  provider.respondWith(({ url, method }) => {
    if (method === 'POST') return url.pathname.endsWith('/abort') ? { ...run({}), ...steps.abort } : run({})
    if (url.pathname.includes('/actor-runs/')) return { ...run({}), ...steps.get }
    if (url.pathname.includes('/datasets/')) return { body: [], ...steps.items }
    return { body: { data: { id: actorId, name: 'x' } } }
  })
  const context = {
    signal: AbortSignal.timeout(60_000),
    onSent: () => {},
    spent: (usd: number) => spent.push(usd),
    ownerId: 1,
  }
  return { spent, done: runActor(context, { actorId, input: {}, maxItems: 5 }, quick) }
}

test('a run whose items cannot be read is an error with its cost', async () => {
  const { done, spent } = start('lost1', {
    get: run({ status: 'SUCCEEDED', usageTotalUsd: 0.02 }),
    items: { status: 404 },
  })
  const error = await toolFailureOf(done)
  expect(error.message).toMatch(/The run had succeeded and cost \$0\.02\.$/)
  expect(error.detail).toMatchObject({ run: { id: 'r', costUsd: 0.02 } })
  expect(spent.at(-1)).toBe(0.02)
})

test('a run that can no longer be read is stopped', async () => {
  const { done } = start('lost2', {
    get: { status: 401, body: {} },
    items: {},
    abort: run({ status: 'ABORTED', usageTotalUsd: 0.01 }),
  })
  const error = await toolFailureOf(done)
  expect(error.message).toMatch(/could no longer be followed and was stopped.* \$0\.01\.$/)
  expect(provider.requests.filter(({ url }) => url.pathname.endsWith('/abort'))).toHaveLength(1)
})

test('a run that Apify stopped at its cap gives the items that it has, and none is an error', async () => {
  const aborted = run({ status: 'ABORTED', statusMessage: 'Charge limit reached', usageTotalUsd: 0.03 })
  const { done } = start('cut1', { get: aborted, items: { body: [{ a: 1 }] } })
  expect(await done).toMatchObject({ rows: [{ a: 1 }], isPartial: true, run: { status: 'ABORTED', costUsd: 0.03 } })
  const error = await toolFailureOf(start('cut2', { get: aborted, items: {} }).done)
  expect(error.message).toMatch(/was aborted: Charge limit reached\. It cost \$0\.03\.$/)
})

test('items that are not objects are wrapped', async () => {
  const { done } = start('lost3', {
    get: run({ status: 'SUCCEEDED', usageTotalUsd: 0 }),
    items: { body: ['a', null, [1], { b: 2 }] },
  })
  const { rows, totalRows } = await done
  expect(rows).toEqual([{ value: 'a' }, { value: null }, { value: [1] }, { b: 2 }])
  expect(totalRows).toBe(4)
})
