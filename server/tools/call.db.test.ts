import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { callTool } from '../../tests/support/call-tool'
import { expireHolder, readOwnerMoney } from '../../tests/support/ledger'
import { loseDatabase } from '../../tests/support/lost-database'
import { makeCaller } from '../../tests/support/owners'
import { makeTool } from '../../tests/support/tool'
import { settlePending } from '../credits/pending-settlements'
import { getReceipt } from '../credits/receipts'
import { sweepHolds } from '../credits/sweep'
import { findLedgerDifferences } from '../credits/verify'
import { env } from '../env'
import { AppError } from '../errors'
import { uuidv7 } from '../kit/id'
import type { ToolCall } from './call'
import type { ToolContext, ToolPricing } from './define'

// A credit is a tenth of a cent here, so that costs can be read.
beforeAll(() => {
  Object.assign(env(), { CREDITS_PER_USD: 1_000, MARKUP: 1 })
})
afterEach(async () => {
  expect(await findLedgerDifferences()).toEqual([])
})

/** A caller with 1,000 credits, and calls of theirs. */
async function caller(credits = 1_000, settings = {}) {
  const { owner, key } = await makeCaller(credits, settings)
  const ask = (given: Pick<ToolCall, 'tool'> & Partial<ToolCall>): ToolCall => ({
    params: {},
    payer: { ownerId: owner.id, keyId: key.id },
    granted: true,
    id: uuidv7(),
    channel: 'rest',
    ...given,
  })
  return { owner, key, ask }
}

const metered = (boundUsd: number, run: Parameters<typeof makeTool>[0]) =>
  makeTool({ pricing: { kind: 'metered', boundUsd: () => boundUsd }, ...run })
const withCharge = (code: string, credits: number) => ({ code, charge: { credits } })
const untouched = { available: 1_000, held: 0, charged: 0, receipts: 0, holds: 0 }
const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

describe('a refusal', () => {
  const run = async () => {
    throw new Error('must not run')
  }

  test.each([
    ['an unknown parameter', { params: { nope: 1 } }, 'invalid_request'],
    ['params that are no object', { params: [] }, 'invalid_request'],
    ['a tool that is not granted', { granted: false }, 'forbidden'],
    ['bad params of a tool that is not granted', { granted: false, params: { nope: 1 } }, 'invalid_request'],
  ])('of %s runs nothing and moves nothing', async (_name, given, code) => {
    const { owner, ask } = await caller()
    const error = await callTool(ask({ tool: makeTool({ run }), ...given })).catch((e) => e)
    expect(error).toMatchObject({ code })
    expect(error.charge).toBeUndefined()
    expect(await readOwnerMoney(owner)).toEqual(untouched)
  })

  test('for want of credits runs nothing, and a metered tool needs its whole bound', async () => {
    const { owner, ask } = await caller(10)
    const error = await callTool(ask({ tool: metered(0.011, { run }) })).catch((e) => e)
    expect(error).toMatchObject({ code: 'insufficient_credits', detail: { limitSource: 'balance' } })
    expect(error.charge).toBeUndefined()
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 10, held: 0, receipts: 0 })
  })
})

describe('a fixed price', () => {
  test('is held while the tool runs and charged when it is done', async () => {
    const { owner, ask } = await caller()
    const tool = makeTool({
      run: async () => {
        expect(await readOwnerMoney(owner)).toMatchObject({ available: 995, held: 5, holds: 1 })
        return { rows: [] }
      },
    })
    expect(await callTool(ask({ tool }))).toEqual({ kind: 'ran', result: { rows: [] }, charged: 5 })
    expect(await readOwnerMoney(owner)).toEqual({ available: 995, held: 0, charged: 5, receipts: 1, holds: 0 })
  })

  test('is charged in full when the provider had the request and it failed, 0 when it never did', async () => {
    const { owner, ask } = await caller()
    const fail = (accept: boolean) =>
      makeTool({
        run: async ({ onSent }) => {
          if (accept) onSent()
          throw new AppError('upstream_error', 'The provider failed.', { detail: { a: 1 } })
        },
      })
    await expect(callTool(ask({ tool: fail(false) }))).rejects.toMatchObject(withCharge('upstream_error', 0))
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, receipts: 1 })
    await expect(callTool(ask({ tool: fail(true) }))).rejects.toMatchObject({
      ...withCharge('upstream_error', 5),
      message: 'The provider failed.',
      detail: { a: 1 },
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 995, charged: 5, receipts: 2 })
  })

  test('an internal error is not shown to the caller', async () => {
    const { ask } = await caller()
    const tool = makeTool({ run: () => Promise.reject(new TypeError('secret of the house')) })
    await expect(callTool(ask({ tool }))).rejects.toMatchObject({
      ...withCharge('upstream_error', 0),
      message: 'test_sample failed.',
    })
  })

  test('what the tool refuses before anything was sent is a refusal, and void', async () => {
    const { owner, ask } = await caller()
    const tool = makeTool({ run: () => Promise.reject(new AppError('invalid_request', 'Not that host.')) })
    const call = ask({ tool })
    const error = await callTool(call).catch((e) => e)
    expect(error).toMatchObject({ code: 'invalid_request', message: 'Not that host.' })
    expect(error.charge).toBeUndefined()
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, held: 0, holds: 0 })
    expect(await getReceipt(owner.id, call.id)).toMatchObject({ status: 'void', credits: { charged: 0 } })
  })

  test('what it refuses after the provider had the request is a failure, and charged', async () => {
    const { ask } = await caller()
    const tool = makeTool({
      run: async ({ onSent }) => {
        onSent()
        throw new AppError('invalid_request', 'A redirect leads nowhere good.')
      },
    })
    await expect(callTool(ask({ tool }))).rejects.toMatchObject(withCharge('upstream_error', 5))
  })

  test('a result that is not JSON leaves no hold behind', async () => {
    const { owner, ask } = await caller()
    const tool = makeTool({ run: async () => ({ n: 1n }) })
    await expect(callTool(ask({ tool }))).rejects.toMatchObject({ code: 'upstream_error' })
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0, receipts: 1 })
  })

  test('an error text the database cannot hold as it is leaves no hold behind', async () => {
    const { owner, ask } = await caller()
    const tool = makeTool({ run: () => Promise.reject(new AppError('upstream_error', 'bad \0 and \ud83d')) })
    await expect(callTool(ask({ tool }))).rejects.toMatchObject({ code: 'upstream_error' })
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0, receipts: 1 })
  })
})

describe('a time budget', () => {
  test('that ends before the provider had the request charges 0, after it the price', async () => {
    const { owner, ask } = await caller()
    const slow = (accept: boolean) =>
      makeTool({
        timeoutMs: 50,
        run: ({ onSent, signal }) => {
          if (accept) onSent()
          return never(signal)
        },
      })
    await expect(callTool(ask({ tool: slow(false) }))).rejects.toMatchObject(withCharge('upstream_error', 0))
    const late = callTool(ask({ tool: slow(true) }))
    await expect(late).rejects.toMatchObject({
      ...withCharge('upstream_error', 5),
      message: expect.stringMatching(/0\.05 s/),
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 5, receipts: 2, held: 0 })
  })

  test('ends a tool that does not listen to the end of its time', async () => {
    const { owner, ask } = await caller()
    const deaf = makeTool({ timeoutMs: 50, run: () => new Promise(() => {}) })
    await expect(callTool(ask({ tool: deaf }))).rejects.toMatchObject({ code: 'upstream_error' })
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0 })
  })
})

describe('a caller who leaves', () => {
  test('before the call began: nothing runs, and nothing is held for it', async () => {
    const { owner, ask } = await caller()
    let ran = false
    const tool = makeTool({
      run: async () => {
        ran = true
        return {}
      },
    })
    const call = ask({ tool, callerSignal: AbortSignal.abort() })
    await expect(callTool(call)).rejects.toMatchObject({ code: 'conflict' })
    expect(ran).toBe(false)
    expect(await readOwnerMoney(owner)).toEqual(untouched)
  })

  test.each([
    ['throws the signal’s reason', (reason: unknown) => reason],
    ['throws an error', () => new AppError('upstream_error', 'The provider could not be reached.')],
    ['throws what it likes', () => new Error('aborted')],
  ])('before the provider had the request: void, also when the tool %s', async (_name, errorOf) => {
    const { owner, ask } = await caller()
    const client = new AbortController()
    const tool = makeTool({
      run: async ({ signal }) => {
        client.abort()
        expect(signal.aborted).toBe(true)
        throw errorOf(signal.reason)
      },
    })
    const call = ask({ tool, callerSignal: client.signal })
    const error = await callTool(call).catch((e) => e)
    expect(error.charge).toBeUndefined()
    expect(await getReceipt(owner.id, call.id)).toMatchObject({ status: 'void', credits: { charged: 0 } })
  })

  test('after the provider had the request: the call completes and is charged', async () => {
    const { owner, ask } = await caller()
    const client = new AbortController()
    const tool = makeTool({
      run: async ({ onSent, signal }) => {
        onSent()
        client.abort()
        await sleep(50)
        expect(signal.aborted).toBe(false)
        return { done: true }
      },
    })
    expect(await callTool(ask({ tool, callerSignal: client.signal }))).toMatchObject({
      charged: 5,
      result: { done: true },
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 5 })
  })
})

describe('a metered tool', () => {
  const costing = (usd: number, boundUsd = 0.1) =>
    metered(boundUsd, {
      run: async ({ spent }) => {
        spent(usd)
        return { ok: true }
      },
    })

  test('holds its bound, and is charged its real cost', async () => {
    const { owner, ask } = await caller()
    const tool = metered(0.1, {
      run: async ({ spent }) => {
        expect(await readOwnerMoney(owner)).toMatchObject({ held: 100 })
        spent(0.01)
        spent(0.0421)
        return { ok: true }
      },
    })
    const call = ask({ tool })
    expect(await callTool(call)).toMatchObject({ charged: 43 })
    expect(await getReceipt(owner.id, call.id)).toMatchObject({
      credits: { held: 100, charged: 43, released: 57 },
      detail: { costUsd: 0.0421, creditsPerUsd: 1_000, markup: 1 },
    })
  })

  test('that cost nothing charges nothing', async () => {
    const { ask } = await caller()
    expect(await callTool(ask({ tool: metered(0.1, {}) }))).toMatchObject({ charged: 0 })
  })

  test('that cost more than its hold takes it from what is free', async () => {
    const { owner, ask } = await caller()
    expect(await callTool(ask({ tool: costing(0.3) }))).toMatchObject({ charged: 300, result: { ok: true } })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 700, held: 0 })
  })

  test.each([
    ['the balance', 150, {}, 150, 'balance'],
    ['the key’s budget', 1_000, { budget: 120 }, 120, 'key_budget'],
  ])(
    'that ran %s dry is 402 with the charge and the limit, without its result',
    async (_name, credits, settings, charged, limitSource) => {
      const { owner, ask } = await caller(credits, settings)
      const error = await callTool(ask({ tool: costing(0.3) })).catch((e) => e)
      expect(error).toMatchObject({
        ...withCharge('insufficient_credits', charged),
        status: 402,
        detail: { limitSource },
      })
      expect(JSON.stringify(error)).not.toContain('"ok"')
      expect(await readOwnerMoney(owner)).toMatchObject({ charged, held: 0, holds: 0 })
    },
  )

  test('whose credits were exhausted is the same 402 to a repeat of its Idempotency-Key, with no new charge', async () => {
    const { owner, ask } = await caller(150)
    const idempotency = { token: 'a', bodyHash: Buffer.alloc(32) }
    const first = await callTool(ask({ tool: costing(0.3), idempotency })).catch((e) => e)
    const again = await callTool(ask({ tool: costing(0.3), idempotency }))
    expect(again).toEqual({
      kind: 'replay',
      answer: {
        status: 402,
        charged: 150n,
        body: {
          error: first.message,
          code: 'insufficient_credits',
          reason: 'credits_exhausted',
          retryable: false,
          limitSource: 'balance',
        },
      },
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 0, charged: 150, receipts: 1 })
  })

  test('that failed is charged what it cost so far, nothing when nothing was spent', async () => {
    const { owner, ask } = await caller()
    const failing = (usd?: number) =>
      metered(0.1, {
        run: async ({ spent }) => {
          if (usd !== undefined) spent(usd)
          throw new AppError('upstream_error', 'no')
        },
      })
    await expect(callTool(ask({ tool: failing() }))).rejects.toMatchObject(withCharge('upstream_error', 0))
    await expect(callTool(ask({ tool: failing(0.02) }))).rejects.toMatchObject(withCharge('upstream_error', 20))
    await expect(callTool(ask({ tool: failing(0.2) }))).rejects.toMatchObject(withCharge('upstream_error', 200))
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 220, held: 0 })
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1])(
    'a cost of %d leaves no hold behind and charges nothing',
    async (usd) => {
      const { owner, ask } = await caller()
      expect(await callTool(ask({ tool: costing(usd) }))).toMatchObject({ charged: 0 })
      expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, held: 0, holds: 0 })
    },
  )
})

describe('a hold that was swept while the tool ran', () => {
  test.each([
    ['fixed', 5, { kind: 'fixed', credits: 5 } as const],
    ['metered', 50, { kind: 'metered', boundUsd: () => 0.1 } as const],
  ])('is charged all the same for a %s price', async (_name, credits, pricing) => {
    const { owner, ask } = await caller()
    const id = uuidv7()
    const tool = makeTool({
      pricing,
      run: async ({ spent }) => {
        await expireHolder(id)
        await sweepHolds()
        spent(0.05)
        return { ok: true }
      },
    })
    expect(await callTool(ask({ tool, id }))).toEqual({ kind: 'ran', result: { ok: true }, charged: credits })
    expect(await getReceipt(owner.id, id)).toMatchObject({ status: 'ok', credits: { charged: credits } })
    expect(await readOwnerMoney(owner)).toMatchObject({
      available: 1_000 - credits,
      held: 0,
      charged: credits,
      holds: 0,
    })
  })
})

describe('a database that goes away', () => {
  /** Runs work while this process's pools lead nowhere. */
  async function without<T>(work: () => Promise<T>): Promise<T> {
    const back = loseDatabase()
    try {
      return await work()
    } finally {
      back()
    }
  }

  test('before the hold: 503, nothing runs, nothing is charged', async () => {
    const { owner, ask } = await caller()
    let ran = false
    const tool = makeTool({
      run: async () => {
        ran = true
        return {}
      },
    })
    const error = await without(() => callTool(ask({ tool })).catch((e) => e))
    expect(error).toMatchObject({ code: 'unavailable', retryAfter: expect.any(Number) })
    expect(error.charge).toBeUndefined()
    expect(ran).toBe(false)
    expect(await settlePending()).toBe(0)
    expect(await readOwnerMoney(owner)).toEqual(untouched)
  })

  /** A tool during whose run the database goes away; `back` brings it back. */
  function losing(run: (context: ToolContext) => Promise<Record<string, unknown>>, pricing?: ToolPricing<unknown>) {
    const restore = { back: () => {} }
    const tool = makeTool({
      ...(pricing && { pricing }),
      run: async (context) => {
        restore.back = loseDatabase()
        return run(context)
      },
    })
    return { tool, back: () => restore.back() }
  }

  test('after a tool of a fixed price ran: its result and charge, written once the database is back', async () => {
    const { owner, ask } = await caller()
    const idempotency = { token: 'a', bodyHash: Buffer.alloc(32) }
    const { tool, back } = losing(async () => ({ ok: true }))
    expect(await callTool(ask({ tool, idempotency }))).toEqual({ kind: 'ran', result: { ok: true }, charged: 5 })
    back()
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 5, charged: 0 })
    expect(await settlePending(5_000)).toBe(0)
    expect(await readOwnerMoney(owner)).toEqual({ available: 995, held: 0, charged: 5, receipts: 1, holds: 0 })
    expect(await callTool(ask({ tool, idempotency }))).toMatchObject({
      kind: 'replay',
      answer: { body: { ok: true }, charged: 5n },
    })
  })

  test('after a metered tool ran within its hold: the same', async () => {
    const { owner, ask } = await caller()
    const { tool, back } = losing(
      async ({ spent }) => {
        spent(0.01)
        return { ok: true }
      },
      { kind: 'metered', boundUsd: () => 0.1 },
    )
    const { charged } = (await callTool(ask({ tool }))) as { charged: number }
    back()
    expect(charged).toBeGreaterThan(0)
    expect(await settlePending(5_000)).toBe(0)
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, charged })
  })

  test('while a tool that was paid for stores its result: 503, and nothing is charged', async () => {
    const { owner, ask } = await caller()
    const tool = makeTool({
      pricing: { kind: 'metered', boundUsd: () => 0.1 },
      run: async ({ spent }) => {
        spent(0.05)
        throw new AppError('unavailable', 'The result could not be stored.')
      },
    })
    const error = await callTool(ask({ tool })).catch((e) => e)
    expect(error).toMatchObject({ code: 'unavailable', charge: undefined })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, held: 0, charged: 0, receipts: 1 })
  })

  test('after a metered tool cost more than its hold: 503, and nothing is charged', async () => {
    const { owner, ask } = await caller()
    const { tool, back } = losing(
      async ({ spent }) => {
        spent(0.2)
        return { ok: true }
      },
      { kind: 'metered', boundUsd: () => 0.1 },
    )
    const error = await callTool(ask({ tool: { ...tool, timeoutMs: 1_000 } })).catch((e) => e)
    back()
    expect(error).toMatchObject({ code: 'unavailable', charge: undefined })
    expect(await settlePending(5_000)).toBe(0)
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, held: 0, charged: 0, receipts: 1 })
  })
})
