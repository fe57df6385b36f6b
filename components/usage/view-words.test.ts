import { expect, test } from 'vitest'
import { shownViews, viewWords } from './view-words'

test('a view says its days, and what of them it shows', () => {
  expect(viewWords({})).toBe('30 days')
  expect(viewWords({ range: 'all' })).toBe('All days')
  expect(viewWords({ from: '2026-11-01' })).toBe('2026-11-01 to today')
  expect(viewWords({ to: '2026-11-01' })).toBe('The first day to 2026-11-01')
  expect(viewWords({ range: '7d', by: 'model', product: 'chat', status: 'failed', customer: 'olbia' })).toBe(
    '7 days, by model, Chat models, Failed, customer olbia',
  )
  expect(viewWords({ keyId: 3, what: 'web_search', channel: 'mcp', group: 'job' })).toBe(
    '30 days, calls of a run as one, one key, web_search, MCP',
  )
})

test('a view leads to what the page understands of its query, and is the one shown where that is the same', () => {
  const views = [
    { name: 'a', query: 'product=chat&range=month' },
    { name: 'b', query: 'range=century&cursor=x&product=boats' },
    { name: 'c', query: '%%%=%&#//evil.example' },
  ]
  expect(shownViews(views, { range: 'month', product: 'chat' })).toEqual([
    { name: 'a', href: '/usage?range=month&product=chat', words: 'This month, Chat models', isNow: true },
    { name: 'b', href: '/usage', words: '30 days', isNow: false },
    { name: 'c', href: '/usage', words: '30 days', isNow: false },
  ])
})
