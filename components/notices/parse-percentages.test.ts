import { expect, test } from 'vitest'
import { parsePercentages } from './parse-percentages'

test('percentages are read with commas, blanks and signs between them', () => {
  expect(parsePercentages('50, 80,100')).toEqual([50, 80, 100])
  expect(parsePercentages('50 % 80 %')).toEqual([50, 80])
  expect(parsePercentages('  ')).toEqual([])
})

test('what is no percentage, and a sixth one, is refused', () => {
  for (const text of ['0', '101', '-5', 'half', '12.5', '1,2,3,4,5,6']) expect(parsePercentages(text)).toBeNull()
})
