import { setTimeout as sleep } from 'node:timers/promises'
import { expiredRateWindows } from '../../accounts/expired-rate-windows'
import { expiredChallenges } from '../../accounts/factors/challenge'
import { expiredAccountLinks } from '../../accounts/link'
import { expiredInvitations } from '../../accounts/members/invitations'
import { expiredSignUpLinks } from '../../accounts/sign-up-link'
import { oldLiveSteps } from '../../agent/jobs/old-live-steps'
import { oldOutputs } from '../../agent/jobs/old-outputs'
import { oldScheduleRuns } from '../../agent/schedules/old-runs'
import { oldDeliveries } from '../../agent/webhooks/old-deliveries'
import { oldPods } from '../../agent-tools/pod/old-pods'
import { expiredModelResponses } from '../../chat/responses/expired'
import { expiredReceipts } from '../../credits/expired-receipts'
import { expiredResponses } from '../../credits/expired-responses'
import { executeStatement } from '../../db'
import { oldManagementAnswers } from '../../keys/management-answer'
import { log } from '../../kit/log'
import { gauge } from '../../kit/metrics/registry'
import type { RetentionTask } from '../../kit/retention-task'
import { statement } from '../../kit/statement'
import { expiredNotices } from '../../notices/expired'
import { oldOAuthCodes, oldRefreshTokens, unusedOAuthClients } from '../../oauth/expired'
import { remainsOfDeletedOwners } from '../../owner-data/remains'
import { expiredRequestLog } from '../../request-log/expired'
import { expiredRefusals } from '../../request-log/expired-refusals'
import { expiredRequestCounts } from '../../request-log/expired-request-counts'
import { oldSiteVersions } from '../../sites/old-versions'
import { unreferencedFiles } from '../../sites/unreferenced-files'

const lastRun = gauge(
  'tollgate_retention_success_timestamp_seconds',
  'When this process last finished a run of retention in which nothing failed',
)

/** How often a process looks whether a run is due. */
const LOOK_MS = 60_000
/**
 * How often one of all processes runs it, and for how long at most: shorter, so that two runs never
 * meet.
 */
const EVERY_S = 300
const RUN_MS = 120_000

/**
 * Everything that is deleted when its time has come, by the settings. `all`: also what is looked
 * for once a day.
 */
const cleanings = (all: boolean): RetentionTask[] =>
  [
    expiredReceipts(),
    expiredResponses(),
    expiredRateWindows(),
    expiredRequestCounts(),
    expiredRefusals(),
    expiredNotices(),
    expiredAccountLinks(),
    expiredChallenges(),
    expiredSignUpLinks(),
    expiredInvitations(),
    unusedOAuthClients(),
    oldOAuthCodes(),
    oldRefreshTokens(),
    oldManagementAnswers(),
    remainsOfDeletedOwners(),
    oldOutputs(),
    oldPods(),
    oldScheduleRuns(),
    oldDeliveries('runs'),
    oldDeliveries('tasks'),
    oldLiveSteps(),
    expiredRequestLog(),
    expiredModelResponses(),
    oldSiteVersions(),
    unreferencedFiles({ always: all }),
  ].filter((cleaning) => cleaning !== null)

/** What a run deleted, or would delete, by kind. */
export type RetentionCounts = { name: string; count: number }[]

/** What a run would delete now. */
export async function previewRetention(): Promise<RetentionCounts> {
  const found: RetentionCounts = []
  for (const { name, count } of cleanings(true)) found.push({ name, count: await count() })
  return found
}

/** Deletes all there is to delete, in steps of some hundred rows. */
export async function runRetention(): Promise<RetentionCounts> {
  const found: RetentionCounts = []
  for (const cleaning of cleanings(true)) found.push({ name: cleaning.name, count: await clean(cleaning, () => false) })
  return found
}

/**
 * Steps until nothing is left or `isOver`, resting after each as long as it took: calls come first.
 */
async function clean({ step }: RetentionTask, isOver: () => boolean): Promise<number> {
  let sum = 0
  while (!isOver()) {
    const began = performance.now()
    const { deleted, more } = await step()
    sum += deleted
    if (!more) break
    await sleep(Math.min(performance.now() - began, 1_000))
  }
  return sum
}

const CLAIM = statement({
  name: 'retention_claim',
  sql: `UPDATE retention SET started_at = now()
    WHERE name = 'run' AND (started_at IS NULL OR started_at < now() - make_interval(secs => $1))`,
  params: ['float8'],
})

/** True for one process every five minutes, whichever looks first. */
async function claim(): Promise<boolean> {
  return (await executeStatement(CLAIM, [EVERY_S], { repeatable: false })) === 1
}

/**
 * One process's share: some minutes of deleting when it is due. One kind that fails does not keep
 * the others waiting.
 */
async function runWhenDue(isStopped: () => boolean): Promise<void> {
  if (!(await claim())) return
  const until = performance.now() + RUN_MS
  let hasFailed = false
  for (const cleaning of cleanings(false)) {
    try {
      const deleted = await clean(cleaning, () => isStopped() || performance.now() > until)
      if (deleted > 0) log.info({ kind: cleaning.name, deleted }, 'retention')
    } catch (error) {
      hasFailed = true
      if (!isStopped()) log.warn({ kind: cleaning.name, err: (error as Error).message }, 'retention failed')
    }
  }
  if (!hasFailed) lastRun.setToCurrentTime()
}

/**
 * Deletes what is no longer kept while this process lives. Web and worker processes all do this,
 * and take turns. Returns what stops it.
 */
export function startRetention(lookMs = LOOK_MS): () => void {
  let isStopped = false
  const look = () =>
    runWhenDue(() => isStopped).catch((error: Error) => {
      if (!isStopped) log.warn({ err: error.message }, 'retention failed')
    })
  const timer = setInterval(look, lookMs)
  timer.unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
