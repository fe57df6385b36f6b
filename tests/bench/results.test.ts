import { expect, test } from 'vitest'
import { withSection } from './results'

const TITLES = ['First', 'Second', 'Third']

test('a section takes the place of its last run, and the others stay as they are', () => {
  const before = '# Results\n\n## Second\n\n| a |\n| - |\n\n## Third\n\nOld.\n'
  const after = withSection(before, { title: 'Third', text: 'New.' }, TITLES)
  expect(after.slice(after.indexOf('\n## '))).toBe('\n## Second\n\n| a |\n| - |\n\n## Third\n\nNew.\n')
})

test('a section of a first run goes where it belongs', () => {
  const before = withSection('', { title: 'Second', text: 'b' }, TITLES)
  const after = withSection(before, { title: 'First', text: 'a' }, TITLES)
  expect(after.slice(after.indexOf('\n## '))).toBe('\n## First\n\na\n\n## Second\n\nb\n')
})
