import { describe, expect, test } from 'vitest'
import { joinHealth, redactError } from './health'

const health = {
  calls: 1,
  failed: 0,
  medianMs: 10,
  slowMs: 20,
  lastSuccess: '2026-01-01T10:00:00.000Z',
  lastFailure: null,
  lastError: null,
}

describe('the health of several tools', () => {
  test('has their sums, their latest success and failure, and the median of the one with more calls', () => {
    const failing = {
      ...health,
      calls: 3,
      failed: 2,
      medianMs: 50,
      slowMs: null,
      lastSuccess: null,
      lastFailure: '2026-01-01T09:00:00.000Z',
      lastError: 'no',
    }
    expect(joinHealth(health, failing)).toEqual({ ...failing, calls: 4, slowMs: 20, lastSuccess: health.lastSuccess })
    expect(joinHealth(failing, health)).toEqual(joinHealth(health, failing))
  })
})

describe('an error text', () => {
  test('loses the secrets that a provider echoed, and what is too long', () => {
    expect(redactError('bad key sk-12345678 (sk-12345678)', ['sk-12345678'])).toBe('bad key … (…)')
    expect(redactError('x'.repeat(1_000), [])).toHaveLength(300)
  })
})
