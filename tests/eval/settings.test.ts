import { expect, test } from 'vitest'
import { parseModelEntries } from '../../server/models/registry'
import { readRealModel } from './settings'

test('without a real model there is none, and half a description is refused', () => {
  expect(readRealModel({})).toBeNull()
  expect(() => readRealModel({ EVAL_MODEL: 'gpt' })).toThrow('EVAL_MODEL_URL')
})

test('a real model is an entry of the registry, with its key where there is one', () => {
  const described = { EVAL_MODEL_URL: 'http://127.0.0.1:9/v1', EVAL_MODEL: 'theirs' }
  const keyOf = (real: ReturnType<typeof readRealModel>) => parseModelEntries([real?.entry])[0]?.upstreams[0]?.apiKeyEnv
  expect(keyOf(readRealModel(described))).toBeNull()
  expect(keyOf(readRealModel({ ...described, EVAL_MODEL_KEY: 'k' }))).toBe('EVAL_MODEL_KEY')
})
