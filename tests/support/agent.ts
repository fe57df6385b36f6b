import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Answer, send } from './api'

/** A goal with a script for the sandbox model, see server/models/sandbox-script.ts. */
export const scripted = (script: object, goal = 'Do it.'): string => `${goal} [[sandbox ${JSON.stringify(script)}]]`

/** Starts a run with a fresh idempotency key unless one is given. */
export const startRun = (key: string, fields: object = {}): Promise<Answer> =>
  send('/api/v1/agent', { key, body: { goal: 'Say hello.', idempotencyKey: randomUUID(), ...fields } })

export const poll = (key: string, jobId: unknown): Promise<Answer> => send(`/api/v1/agent/${jobId}`, { key })

export const answer = (key: string, jobId: unknown, body: object): Promise<Answer> =>
  send(`/api/v1/agent/${jobId}/answer`, { key, body })

export const cancel = (key: string, jobId: unknown): Promise<Answer> =>
  send(`/api/v1/agent/${jobId}/cancel`, { key, method: 'POST' })

export type StepRow = {
  index: number
  kind: string
  name: string
  creditsCharged: number
  requestId: string | null
  input: Record<string, unknown>
  output: Record<string, unknown> | null
  error: { code: string; message: string } | null
}

export async function stepsOf(key: string, jobId: unknown): Promise<StepRow[]> {
  const { body } = await send(`/api/v1/agent/${jobId}/steps?limit=500`, { key })
  return body.steps as StepRow[]
}

/** Polls until a job is in one of these statuses; fails after a while. */
export async function until(key: string, jobId: unknown, ...statuses: string[]): Promise<Record<string, unknown>> {
  const end = Date.now() + 30_000
  for (;;) {
    const { body } = await poll(key, jobId)
    if (statuses.includes(String(body.status))) return body
    if (Date.now() > end) expect(body.status, JSON.stringify(body)).toBe(statuses.join(' or '))
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
