import { expect, test } from 'vitest'
import { auditDetails } from './audit-details'

test.each([
  [null, ''],
  [{}, ''],
  [{ timeZone: 'Europe/Berlin' }, 'time zone: Europe/Berlin'],
  [{ rpm: 7, tools: ['a', 'b'], budget: null, tags: [] }, 'rpm: 7 · tools: a, b · budget: none · tags: none'],
  [{ note: '', recurringBudget: { credits: 5 } }, 'recurring budget: {"credits":5}'],
])('%j reads as %j', (detail, line) => {
  expect(auditDetails(detail)).toBe(line)
})

test('a long one is cut', () => {
  expect(auditDetails({ a: 'x'.repeat(999) })).toHaveLength(241)
})
