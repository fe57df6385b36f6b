import { expect, test } from 'vitest'
import { DEFAULT_KEY_VALUES, keyFormGrants } from './form-values'
import { grantsNothing } from './summary'

test('only a key without tools, models and agents grants nothing', () => {
  const none = keyFormGrants({ ...DEFAULT_KEY_VALUES, toolMode: 'none' }, { timeZone: 'UTC' })
  expect(grantsNothing(none)).toBe(true)
  expect(grantsNothing({ ...none, tools: 'all' })).toBe(false)
  expect(grantsNothing({ ...none, agent: true })).toBe(false)
})
