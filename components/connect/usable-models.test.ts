import { expect, test } from 'vitest'
import { type ConnectKey, type ConnectModel, smallModelFor, usableModels } from './usable-models'

const model = (id: string, kind: ConnectModel['kind'], creditsPer1mOutput = 100): ConnectModel => ({
  id,
  kind,
  name: id,
  provider: id,
  creditsPer1mOutput,
})
const large = model('northwind/gale', 'chat', 900)
const small = model('northwind/breeze', 'chat', 90)
const other = model('tidepool/kelp', 'chat', 9)
const vectors = model('tidepool/foam', 'embedding')
const all = [large, small, other, vectors]
const key = (given: Partial<ConnectKey> = {}): ConnectKey => ({
  id: 1,
  name: 'mine',
  last4: 'abcd',
  llm: true,
  allowedModels: [],
  tools: 'all',
  ...given,
})

test('any key may use every model of the kind', () => {
  expect(usableModels({ needs: 'chat' }, all, null)).toEqual({ kind: 'usable', models: [large, small, other] })
  expect(usableModels({ needs: 'embedding' }, all, key())).toEqual({ kind: 'usable', models: [vectors] })
})

test('a key with chosen models may use only those', () => {
  const mine = key({ allowedModels: [other.id] })
  expect(usableModels({ needs: 'chat' }, all, mine)).toEqual({ kind: 'usable', models: [other] })
  expect(usableModels({ needs: 'embedding' }, all, mine)).toEqual({ kind: 'none-allowed' })
})

test('a key without access to models, and a service without models, have none', () => {
  expect(usableModels({ needs: 'chat' }, all, key({ llm: false }))).toEqual({ kind: 'no-access' })
  expect(usableModels({ needs: 'embedding' }, [large], key())).toEqual({ kind: 'no-models' })
  expect(usableModels({ needs: 'chat' }, [], null)).toEqual({ kind: 'no-models' })
})

test('tools need a key that may call some', () => {
  expect(usableModels({ needs: 'tools' }, [], null)).toEqual({ kind: 'usable', models: [] })
  expect(usableModels({ needs: 'tools' }, all, key({ tools: [] }))).toEqual({ kind: 'no-tools' })
})

test('the model for short tasks is the cheapest of the same provider, else the same', () => {
  expect(smallModelFor(large, all)).toBe(small)
  expect(smallModelFor(other, all)).toBe(other)
})
