import { describe, expect, test } from 'vitest'
import { type JobSnapshot, makeJobFollowers } from './follow-jobs'

const snapshot = (updatedAt: number): JobSnapshot => ({
  status: 'running',
  runId: 'a',
  lastStep: 0,
  steps: 1,
  updatedAt,
})

/** Jobs that a test changes, and the readings that were made of them. */
function makeJobs(...ids: string[]) {
  const jobs = new Map(ids.map((id) => [id, snapshot(1)]))
  const readings: { ids: string[]; isWhole: boolean }[] = []
  const failures = { left: 0 }
  const follow = makeJobFollowers(async (asked, isWhole) => {
    readings.push({ ids: asked, isWhole })
    if (failures.left-- > 0) throw new Error('lost')
    return new Map(asked.flatMap((id) => [...jobs].filter(([each]) => each === id)))
  })
  return { jobs, readings, failures, follow }
}

describe('followers of jobs', () => {
  test('share each reading, and only those of a changed job are notified', async () => {
    const { jobs, readings, follow } = makeJobs('a', 'b')
    const [first, second, other] = ['a', 'a', 'b'].map((id) => follow(id, snapshot(1)))
    const notified: string[] = []
    void other?.next(snapshot(1), false).then(() => notified.push('b'))
    jobs.set('a', snapshot(2))
    const found = await Promise.all([first, second].map((each) => each?.next(snapshot(1), false)))
    expect(found).toEqual([snapshot(2), snapshot(2)])
    expect(readings).toEqual([{ ids: ['a', 'b'], isWhole: false }])
    expect(notified).toEqual([])
    for (const each of [first, second, other]) each?.leave()
  })

  test('are notified of a change that came while they were busy', async () => {
    const { jobs, follow } = makeJobs('a', 'b')
    const [busy, other] = [follow('a', snapshot(1)), follow('b', snapshot(1))]
    jobs.set('a', snapshot(2)).set('b', snapshot(2))
    await other.next(snapshot(1), false)
    expect(await busy.next(snapshot(1), false)).toEqual(snapshot(2))
    for (const each of [busy, other]) each.leave()
  })

  test('are notified at each reading where they want that', async () => {
    const { follow } = makeJobs('a')
    const follower = follow('a', snapshot(1))
    expect(await follower.next(snapshot(1), true)).toEqual(snapshot(1))
    follower.leave()
  })

  test('read all jobs after a reading that failed, and learn that theirs is gone', async () => {
    const { jobs, readings, failures, follow } = makeJobs('a')
    failures.left = 1
    jobs.clear()
    const follower = follow('a', snapshot(1))
    expect(await follower.next(snapshot(1), false)).toBeNull()
    expect(readings.map(({ isWhole }) => isWhole)).toEqual([false, true])
    follower.leave()
  })

  test('who leave are not notified any more', async () => {
    const { follow } = makeJobs('a')
    const follower = follow('a', snapshot(1))
    const next = follower.next(snapshot(1), false)
    follower.leave()
    expect(await next).toBeUndefined()
  })
})
