import { expect, test } from 'vitest'
import { filterTools, listToolGroups } from './filter-tools'

const tool = (id: string, group: string, pricing: 'fixed' | 'metered' = 'fixed') => ({
  id,
  group,
  pricing,
  label: id.replaceAll('_', ' '),
  description: `Does ${id}.`,
})
const all = [tool('web_search', 'Web'), tool('web_read_url', 'Web'), tool('image_generate', 'Media', 'metered')]

test.each([
  ['', null, 3],
  ['web', null, 2],
  ['search web', null, 1],
  ['WEB_SEARCH', null, 1],
  ['metered', null, 1],
  ['does image', null, 1],
  ['web', 'Media', 0],
  ['', 'Media', 1],
  ['', 'Nothing', 0],
] as const)('%j in group %s finds %i', (q, group, found) => {
  expect(filterTools(all, { q, group })).toHaveLength(found)
})

test('groups are in the order of their tools', () => {
  expect(listToolGroups(all)).toEqual(['Web', 'Media'])
})
