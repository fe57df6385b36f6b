import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLedgerDifferences } from '../../server/credits/verify'
import { allGoals } from './goals/all'
import type { TemperamentName } from './models/temperament'
import { runGoal } from './run-goal'
import { type EvalWorld, scriptedModelId, startEvalWorld } from './world'

/** A few goals of the evaluation, each with the temperament that is hardest for it. */
const SUBSET: readonly (readonly [goal: string, temperament: TemperamentName])[] = [
  ['tide-mills', 'hasty'],
  ['twenty-pages', 'hasty'],
  ['sources-disagree', 'careful'],
  ['count-posts', 'verbose'],
  ['average-price', 'careful'],
  ['rejected-delete', 'hasty'],
  ['publish-site', 'verbose'],
  ['structured-result', 'hasty'],
  ['plan-and-feedback', 'verbose'],
  ['same-call-again', 'hasty'],
  ['money-ends', 'careful'],
  ['long-report', 'careful'],
  ['filtered-answer', 'hasty'],
]

const goals = allGoals.filter(({ id, isHabit }) => isHabit || SUBSET.some(([each]) => each === id))
let world: EvalWorld

beforeAll(async () => {
  world = await startEvalWorld(goals, null)
})
afterAll(async () => {
  await world.stop()
  expect(await findLedgerDifferences()).toEqual([])
})

test.each(SUBSET)('%s is met by a %s model', async (id, temperament) => {
  const goal = goals.find((each) => each.id === id)
  expect(goal).toBeDefined()
  if (!goal) return
  const { complaints, credits } = await runGoal(world, goal, scriptedModelId(temperament, goal.isSmallContext))
  expect(complaints).toEqual([])
  expect(credits).toBeGreaterThan(0)
})

const habits = allGoals.filter(({ isHabit }) => isHabit)

test.each(habits.map((goal) => [goal.id, goal] as const))(
  'the habit %s ends well, or is said to have failed',
  async (_id, goal) => {
    const { complaints } = await runGoal(world, goal, scriptedModelId('weak', goal.isSmallContext))
    expect(complaints).toEqual([])
  },
)

test('there are forty goals, over all seven agents, and a dozen habits', () => {
  expect(allGoals.length - habits.length).toBe(40)
  expect(habits.length).toBeGreaterThanOrEqual(12)
  expect(new Set(allGoals.map(({ id }) => id)).size).toBe(allGoals.length)
  expect(new Set(allGoals.map(({ agent }) => agent)).size).toBe(7)
})
