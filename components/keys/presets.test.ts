import { expect, test } from 'vitest'
import { CONNECT_CLIENTS } from '../connect/connect-clients'
import { DEFAULT_KEY_VALUES } from './form-values'
import { parseKeyForm } from './parse-key-form'
import { KEY_PRESETS, keyPresetOf, presetNamed } from './presets'

const place = { timeZone: 'Europe/Berlin' }

test.each(KEY_PRESETS)('$id is a key that can be made, with a budget, and is known by its values', (preset) => {
  const values = { ...DEFAULT_KEY_VALUES, name: 'k', ...preset.values }
  expect(parseKeyForm(values, place)).toMatchObject({ key: { recurringBudget: { every: 'month' } } })
  expect(keyPresetOf(values)).toBe(preset)
  expect(keyPresetOf({ ...values, recurringCredits: '7' })).toBeUndefined()
  expect(presetNamed(preset.id)).toBe(preset)
  expect(CONNECT_CLIENTS.map(({ id }) => id)).toContain(preset.client)
})

test('the first form has no preset, and an address may name one that does not exist', () => {
  expect(keyPresetOf(DEFAULT_KEY_VALUES)).toBeUndefined()
  expect([presetNamed(undefined), presetNamed('x'), presetNamed(['app'])]).toEqual([undefined, undefined, undefined])
})
