import { describe, expect, test } from 'vitest'
import { costOfSteps, priceOfPlan, priceOfRun, runPriceText, usualCost, withJudges } from './run-price'

/** $3 and $15 a million tokens, $0.30 for those that were read before. */
const prices = { creditsPer1mInput: 10_001n, creditsPer1mOutput: 50_004n, creditsPer1mCachedInput: 1_001n }
const none = { whole: [], model: [] }
const known = { whole: [150, 120, 350, 200, 180, 172], model: [140, 110, 300, 190, 170, 160] }

describe('the price of a run', () => {
  test('is what eight of ten runs cost, where five are known', () => {
    expect(priceOfRun(known, prices)).toEqual({ from: 120, to: 350, basis: 'history', runs: 6 })
    expect(usualCost(known)).toBe(180)
  })

  test('is by the price of tokens before that, and says so', () => {
    const few = { whole: [150, 120, 350, 200], model: [1, 2, 3, 4] }
    expect(priceOfRun(few, prices)).toMatchObject({ basis: 'tokens', runs: 4 })
    expect([usualCost(few), usualCost(none)]).toEqual([200, null])
    const { from, to } = priceOfRun(none, prices)
    expect([from > 30, to > from, to < 2_000]).toEqual([true, true, true])
  })
})

test('what a judge takes is beside the price of a run, once for each of its checks', () => {
  const alone = priceOfRun(known, prices)
  const judged = withJudges(alone, [prices])
  // 500 and 60 tokens for a short result, 4,000 and 400 for a long one.
  expect(judged).toEqual({ ...alone, from: alone.from + 9, to: alone.to + 61 })
  expect(withJudges(alone, [prices, prices])).toMatchObject({ from: alone.from + 18, to: alone.to + 122 })
  expect(withJudges(alone, [])).toEqual(alone)
})

describe('the price of a plan', () => {
  test('has the steps of the model in it where no run is known: few and cheap ones, or many', () => {
    const plan = { steps: 4, callCredits: 8, promptTokens: 10_000, spent: 100 }
    const { from, to, basis } = priceOfPlan(plan, none, prices)
    expect(basis).toBe('tokens')
    const one = 11 + 8
    expect(from).toBeGreaterThan(108 + 3 * one - 3)
    expect(from).toBeLessThan(108 + 4 * one + 25)
    expect(to).toBeGreaterThan(112 + 10 * (11 + 25 + 30))
  })

  test('adds its calls to what the steps of the model cost in such runs', () => {
    const plan = { steps: 3, callCredits: 100, promptTokens: 5_000, spent: 50 }
    expect(priceOfPlan(plan, known, prices)).toEqual({ from: 210, to: 450, basis: 'history', runs: 6 })
  })

  test('is never below what was spent', () => {
    const plan = { steps: 1, callCredits: 0, promptTokens: 5_000, spent: 5_000 }
    const { from, to } = priceOfPlan(plan, known, prices)
    expect(from).toBe(5_000)
    expect(to).toBeGreaterThan(5_000)
  })
})

test('steps read what came before from the cache', () => {
  const steps = { count: 2, prompt: 10_000, growth: 1_000, output: 0 }
  expect(costOfSteps(steps, prices)).toBe(101 + 21)
  expect(costOfSteps(steps, { ...prices, creditsPer1mCachedInput: undefined })).toBe(101 + 111)
})

test('a range is written once where both ends are the same', () => {
  expect(runPriceText({ from: 120, to: 1_350 })).toBe('about 120 to 1,350 credits')
  expect(runPriceText({ from: 1, to: 1 })).toBe('about 1 credit')
})
