import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { mainPool } from '../../server/db'
import { send, type TestResponse } from './api'

/** A goal with a script for the sandbox model, see server/sandbox/script/README.md. */
export const scriptedGoal = (script: object, goal = 'Do it.'): string => `${goal} [[sandbox ${JSON.stringify(script)}]]`

/** Starts a run with a fresh idempotency key unless one is given. */
export const startAgentRun = (
  key: string,
  fields: object = {},
  headers: Record<string, string> = {},
): Promise<TestResponse> =>
  send('/api/v1/agent', { key, headers, body: { goal: 'Say hello.', idempotencyKey: randomUUID(), ...fields } })

/**
 * Sends a request again while the answer is 503, as clients do: what a busy machine answers. Not
 * for tests about 503 itself.
 */
export async function untilServed<R extends { status: number }>(send: () => Promise<R>): Promise<R> {
  for (;;) {
    const answer = await send()
    if (answer.status !== 503) return answer
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

export const pollJob = (key: string, jobId: unknown): Promise<TestResponse> => send(`/api/v1/agent/${jobId}`, { key })

export const sendAnswer = (key: string, jobId: unknown, body: object): Promise<TestResponse> =>
  send(`/api/v1/agent/${jobId}/answer`, { key, body })

export const sendCancel = (key: string, jobId: unknown): Promise<TestResponse> =>
  send(`/api/v1/agent/${jobId}/cancel`, { key, method: 'POST' })

export type ReportedStep = {
  index: number
  kind: string
  name: string
  creditsCharged: number
  requestId: string | null
  input: Record<string, unknown>
  output: Record<string, unknown> | null
  error: { code: string; message: string } | null
}

export async function readSteps(key: string, jobId: unknown): Promise<ReportedStep[]> {
  const { body } = await untilServed(() => send(`/api/v1/agent/${jobId}/steps?limit=500`, { key }))
  return body.steps as ReportedStep[]
}

/** Whether a job's row has one of these statuses; true also where that cannot be read. */
const hasStatus = (jobId: unknown, statuses: string[]): Promise<boolean> =>
  mainPool()
    .query('SELECT 1 FROM job WHERE id = $1 AND status = ANY ($2)', [jobId, statuses])
    .then(
      ({ rowCount }) => rowCount !== 0,
      () => true,
    )

/** Polls until a job is in one of these statuses; fails after a while. */
export async function untilStatus(
  key: string,
  jobId: unknown,
  ...statuses: string[]
): Promise<Record<string, unknown>> {
  const end = Date.now() + 150_000
  // Looks at the row first: a call costs as much CPU time as a step of the run.
  for (let waitMs = 20; ; waitMs = Math.min(waitMs + 10, 60)) {
    const isLate = Date.now() > end
    if (isLate || (await hasStatus(jobId, statuses))) {
      const { body } = await untilServed(() => pollJob(key, jobId))
      if (statuses.includes(String(body.status))) return body
      if (isLate) expect(body.status, JSON.stringify(body)).toBe(statuses.join(' or '))
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
