import { expect, test } from 'vitest'
import { z } from 'zod'
import { AppError, ERROR_CODES, invalidRequest } from './errors'

test('each code has the status the contract gives it', () => {
  const status = Object.fromEntries(Object.entries(ERROR_CODES).map(([code, row]) => [code, row.status]))
  expect(status).toEqual({
    invalid_request: 400,
    unknown_tool: 400,
    unknown_model: 400,
    unauthorized: 401,
    insufficient_credits: 402,
    forbidden: 403,
    not_found: 404,
    method_not_allowed: 405,
    conflict: 409,
    precondition_failed: 412,
    payload_too_large: 413,
    unsupported_media_type: 415,
    idempotency_mismatch: 422,
    rate_limited: 429,
    internal_error: 500,
    upstream_error: 502,
    unavailable: 503,
  })
})

test('a refusal has no charge; charging one keeps everything else', () => {
  const cause = new Error('inner')
  const error = new AppError('upstream_error', 'text', { detail: { a: 1 }, retryAfter: 5, cause })
  expect(error.charge).toBeUndefined()
  expect(error.charged(0)).toMatchObject({
    code: 'upstream_error',
    message: 'text',
    status: 502,
    detail: { a: 1 },
    retryAfter: 5,
    cause,
    charge: { credits: 0 },
  })
  expect(error.charge).toBeUndefined()
})

test('invalid_request lists what is wrong, with paths, and says the first of it', () => {
  const { error } = z.strictObject({ a: z.object({ b: z.array(z.number()) }) }).safeParse({ a: { b: [1, 'x'] }, c: 1 })
  const refusal = invalidRequest(error?.issues ?? [])
  expect(refusal.code).toBe('invalid_request')
  expect(refusal.detail.issues).toMatchObject([{ path: 'a.b.1' }, { path: '' }])
  expect(refusal.message).toMatch(/^a\.b\.1: /)
  expect(invalidRequest([])).toMatchObject({ message: expect.stringMatching(/\S/), detail: { issues: [] } })
})

test('an error names the first 20 issues, each in short', () => {
  const issues = Array.from({ length: 100 }, (_, i) => ({ path: [`${i}`.repeat(1_000)], message: 'x'.repeat(10_000) }))
  const { detail, message } = invalidRequest(issues)
  expect(detail.issues).toHaveLength(20)
  expect(JSON.stringify(detail).length).toBeLessThan(20 * 1_100)
  expect(message.length).toBeLessThan(1_100)
})
