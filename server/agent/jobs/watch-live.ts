import { keepWatched } from './keep-watched'
import type { LivePosition, LiveStepView } from './live-view'
import { readLiveSteps } from './read-live'
import { getJob } from './status'

/**
 * The steps in progress of a job that its owner looks at, with the texts after a position. To be
 * read again and again: whoever reads it watches the job. Throws `not_found`, also for another
 * owner's job.
 */
export async function watchLiveSteps(
  ownerId: number,
  jobId: string,
  have: LivePosition | null,
): Promise<LiveStepView[]> {
  const { status } = await getJob(ownerId, jobId)
  if (status !== 'running') return []
  await keepWatched(jobId)
  return readLiveSteps({ ownerId, jobId, have })
}
