import { setTimeout as sleep } from 'node:timers/promises'
import type { JobStatus } from '../shape'

/** What changes whenever anything about a job does. */
export type JobSnapshot = { status: JobStatus; runId: string; lastStep: number; steps: number; updatedAt: number }

/** How often followed jobs are read. All that this process follows share one query. */
const INTERVAL_MS = 200

/** One reading in ten is of all jobs; the others are of those that changed lately. */
const WHOLE_EVERY = 10

/** Reads jobs by their ids: all of them with `isWhole`, else those that changed lately. */
type ReadJobs = (ids: string[], isWhole: boolean) => Promise<Map<string, JobSnapshot>>

/** A snapshot; null when the job is gone, undefined when it could not be read. */
type Found = JobSnapshot | null | undefined

type Follower = {
  latest: Found
  /** The first reading that began after the follower's own: an older one knows less. */
  from: number
  waiting: { known: Found; isEach: boolean; resolve: (found: Found) => void } | null
}

/** Whether nothing about a job differs between two readings. */
const isSame = (a: Found, b: Found): boolean =>
  a?.updatedAt === b?.updatedAt && a?.lastStep === b?.lastStep && a?.status === b?.status && a?.runId === b?.runId

function notify(follower: Follower, found: Found): void {
  if (found !== undefined) follower.latest = found
  const { waiting, latest } = follower
  if (!waiting || latest === undefined) return
  if (!waiting.isEach && latest !== null && isSame(latest, waiting.known)) return
  follower.waiting = null
  waiting.resolve(latest)
}

/**
 * Follows jobs for any number of watchers with one reading for all: a watcher of a job in which
 * nothing happens costs no more than its place in the list. A reading that fails is made again.
 */
export function makeJobFollowers(read: ReadJobs) {
  const followed = new Map<string, Set<Follower>>()
  let isReading = false
  let readings = 0
  let isWholeNext = false

  async function readOnce(): Promise<void> {
    const reading = ++readings
    const isWhole = isWholeNext || reading % WHOLE_EVERY === 0
    const ids = [...followed.keys()]
    // Until it has succeeded: what changed in the meantime may be longer ago than lately.
    isWholeNext = true
    const found = await read(ids, isWhole)
    isWholeNext = false
    for (const id of ids) {
      const now = found.get(id) ?? (isWhole ? null : undefined)
      for (const follower of followed.get(id) ?? []) if (follower.from <= reading) notify(follower, now)
    }
  }

  async function readWhileFollowed(): Promise<void> {
    if (isReading) return
    isReading = true
    while (followed.size > 0) {
      await sleep(INTERVAL_MS)
      await readOnce().catch(() => {})
    }
    isReading = false
  }

  /** Follows a job from what its watcher has just read of it. */
  return function follow(jobId: string, latest: Found) {
    const follower: Follower = { latest, from: readings + 1, waiting: null }
    const followers = followed.get(jobId) ?? new Set()
    followed.set(jobId, followers.add(follower))
    if (latest === undefined) isWholeNext = true
    void readWhileFollowed()
    return {
      /**
       * The job once it differs from `known`, or with `isEach` at the next reading; undefined when
       * the follower has left.
       */
      next(known: Found, isEach: boolean): Promise<Found> {
        const { promise, resolve } = Promise.withResolvers<Found>()
        follower.waiting = { known, isEach, resolve }
        // What was read while its watcher was busy.
        if (!isEach) notify(follower, undefined)
        return promise
      },
      leave(): void {
        followers.delete(follower)
        if (followers.size === 0 && followed.get(jobId) === followers) followed.delete(jobId)
        follower.waiting?.resolve(undefined)
        follower.waiting = null
      },
    }
  }
}
