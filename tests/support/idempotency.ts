import { expect } from 'vitest'
import type { TestResponse } from './api'

/** Fails unless a repeat says that the first answer was not stored, and whose it is. */
export function expectUnstored(first: TestResponse, again: TestResponse): void {
  const requestId = first.headers.get('x-request-id')
  expect(again.status).toBe(409)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.headers.get('idempotency-stored')).toBe('false')
  const { error } = again.body
  expect(typeof error === 'object' ? error : again.body).toMatchObject({ code: 'conflict', requestId })
}
