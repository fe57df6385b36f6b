import { expect, test } from 'vitest'
import type { OfferedModel } from '@/server/models/shape'
import { filterModels, isModelKind } from './filter-models'

const model = (id: string, given: Partial<OfferedModel> = {}): OfferedModel => ({
  id,
  name: id,
  provider: 'Northwind',
  kind: 'chat',
  contextSize: 1,
  maxOutput: 1,
  creditsPer1mInput: 1,
  creditsPer1mOutput: 1,
  vision: false,
  aliases: [],
  parameters: null,
  efforts: null,
  simulated: true,
  image: null,
  video: null,
  ...given,
})
const all = [
  model('northwind/gale', { name: 'Gale Large', vision: true }),
  model('tidepool/kelp', { provider: 'Tidepool' }),
  model('lumiere/reel', { kind: 'video' }),
]

test.each([
  ['', null, 3],
  ['GALE', null, 1],
  ['large gale', null, 1],
  ['tide', null, 1],
  ['northwind', null, 2],
  ['vision', null, 1],
  ['gale kelp', null, 0],
  ['  ', 'video', 1],
  ['gale', 'video', 0],
] as const)('%j of kind %s finds %i', (q, kind, found) => {
  expect(filterModels(all, { q, kind })).toHaveLength(found)
})

test('only known kinds are kinds', () => {
  expect(['chat', 'embedding', 'image', 'video', 'toString', '', undefined, ['chat']].filter(isModelKind)).toEqual([
    'chat',
    'embedding',
    'image',
    'video',
  ])
})
