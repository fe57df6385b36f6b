import { expect, test } from 'vitest'
import { deliveryOutcome, deliveryTitle } from './delivery-text'
import type { JobDelivery } from './shape'

const delivery: JobDelivery = {
  deliveryId: 'd',
  runId: 'r',
  event: 'awaiting_input',
  url: 'https://example.com/',
  status: 'pending',
  attempts: 0,
  answerStatus: null,
  answerBody: null,
  error: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  attemptedAt: null,
  nextAttemptAt: null,
  deliveredAt: null,
}

test('a delivery has a title in words', () => {
  expect(deliveryTitle(delivery)).toBe('Run needs input')
})

const answered = { attempts: 1, answerStatus: 500, error: 'The receiver answered 500.' }

test.each<[string, Partial<JobDelivery>]>([
  ['Not sent yet.', {}],
  ['Being sent: 1 attempt so far.', { attempts: 1 }],
  ['Answered 204 after 2 attempts.', { status: 'delivered', attempts: 2, answerStatus: 204 }],
  ['The receiver answered 500. 1 attempt so far.', answered],
  ['The receiver answered 500. Given up after 8 attempts.', { ...answered, status: 'failed', attempts: 8 }],
])('%s', (text, fields) => {
  expect(deliveryOutcome({ ...delivery, ...fields })).toBe(text)
})
