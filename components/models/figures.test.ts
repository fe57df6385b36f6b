import { expect, test } from 'vitest'
import type { OfferedModel } from '@/server/models/shape'
import { formatPercent, formatSpeed, sortModels } from './figures'
import type { MeasuredCalls } from './shape'

const model = (id: string, given: Partial<OfferedModel> = {}) =>
  ({
    id,
    name: id,
    kind: 'chat',
    contextSize: 1,
    creditsPer1mInput: 1,
    creditsPer1mOutput: 1,
    ...given,
  }) as OfferedModel
const figures = (of: string, given: Partial<MeasuredCalls>): [string, MeasuredCalls] => [
  of,
  { model: of, calls: 10, failed: 0, firstTokenMs: null, tokensPerSecond: null, charged: null, ...given },
]

test('models are sorted by what was measured, those without a figure last in both orders', () => {
  const models = [model('none'), model('slow'), model('fast'), model('whole')]
  const known = new Map([
    figures('slow', { firstTokenMs: 900, failed: 1 }),
    figures('fast', { firstTokenMs: 90, failed: 2 }),
    figures('whole', {}),
  ])
  const order = (column: string, order: 'asc' | 'desc') =>
    sortModels(models, known, { column, order }).map(({ id }) => id)
  expect(order('first', 'asc')).toEqual(['fast', 'slow', 'none', 'whole'])
  expect(order('first', 'desc')).toEqual(['slow', 'fast', 'none', 'whole'])
  expect(order('failed', 'desc')).toEqual(['fast', 'slow', 'whole', 'none'])
  expect(order('toString', 'asc')).toEqual(['none', 'slow', 'fast', 'whole'])
  expect(sortModels(models, known, null)).toBe(models)
})

test('shares and speeds are as exact as they are read', () => {
  expect([0, 0.4, 9.96, 12.3, 100].map(formatPercent)).toEqual(['0 %', '0.4 %', '10.0 %', '12 %', '100 %'])
  expect([null, 4.2, 87.6].map(formatSpeed)).toEqual(['—', '4.2', '88'])
})
