import type { RetentionTask } from '../../server/kit/retention-task'

/** Steps until nothing is left; returns how many were deleted, and in how many steps. */
export async function runRetentionTask(cleaning: RetentionTask | null): Promise<{ deleted: number; steps: number }> {
  if (!cleaning) throw new Error('this kind is never deleted')
  const sum = { deleted: 0, steps: 0 }
  for (let more = true; more; ) {
    const step = await cleaning.step()
    sum.deleted += step.deleted
    sum.steps++
    more = step.more
  }
  return sum
}
