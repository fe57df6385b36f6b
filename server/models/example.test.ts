import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseModelEntries } from './registry'

test('the entry that docs/guides/models.md shows is one that the registry takes', () => {
  const text = readFileSync('docs/guides/models.md', 'utf8')
  const example = /```json\n([^`]*)```/.exec(text)?.[1] ?? ''
  expect(parseModelEntries(JSON.parse(example))).toMatchObject([{ id: 'openai/gpt-4o-mini' }])
})
