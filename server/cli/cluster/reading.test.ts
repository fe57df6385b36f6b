import { expect, test } from 'vitest'
import { changedSettings, type SettingsReading } from './reading'

const reading = (env: Record<string, string>, models: unknown): SettingsReading => ({
  env: env as unknown as NodeJS.ProcessEnv,
  models: typeof models === 'string' ? models : JSON.stringify(models),
  version: '',
  readAt: new Date(),
})

test('what differs between two readings is named, and no value', () => {
  const before = reading({ MARKUP: '1', ACME_KEY: 'secret-one', GONE: 'x', EMPTY: '' }, [
    { id: 'a', usd: 1 },
    { id: 'b', usd: 1 },
  ])
  const after = reading({ MARKUP: '1', ACME_KEY: 'secret-two', ADDED: 'y' }, [
    { id: 'b', usd: 2 },
    { id: 'c', usd: 1 },
  ])
  expect(changedSettings(before, after)).toEqual([
    'ACME_KEY',
    'ADDED',
    'GONE',
    'models added: c',
    'models removed: a',
    'models changed: b',
  ])
  expect(changedSettings(before, before)).toEqual([])
})

test('of many models their number is said, and of what is no list that it differs', () => {
  const many = Array.from({ length: 21 }, (_, i) => ({ id: `m${i}` }))
  expect(changedSettings(reading({}, []), reading({}, many))).toEqual(['models added: 21'])
  expect(changedSettings(reading({}, []), reading({}, '[{'))).toEqual(['models'])
})
