import { expect, test } from 'vitest'
import type { CallReceipt } from '@/server/credits/shape'
import { describeOutcome } from './receipt-labels'

type Given = { status: CallReceipt['status']; charged: number; refunded?: number }

const wordOf = ({ status, charged, refunded }: Given) =>
  describeOutcome({
    status,
    credits: { held: 5, charged, released: 5 - charged },
    detail: refunded === undefined ? {} : { refunded },
  }).word

test.each([
  [{ status: 'ok', charged: 5 }, 'Charged'],
  [{ status: 'ok', charged: 0 }, 'No charge'],
  [{ status: 'ok', charged: 0, refunded: 5 }, 'Refunded'],
  [{ status: 'ok', charged: 2, refunded: 3 }, 'Partly refunded'],
  [{ status: 'failed', charged: 5 }, 'Failed, charged'],
  [{ status: 'failed', charged: 0 }, 'Failed, not charged'],
  [{ status: 'void', charged: 0 }, 'Failed, not charged'],
  [{ status: 'expired', charged: 0 }, 'Failed, not charged'],
] as const)('%j reads %s', (given, word) => {
  expect(wordOf(given)).toBe(word)
})
