import { expect, test } from 'vitest'
import { resultShape } from './result-shape'

test('a list is a table of the plain columns that most rows have', () => {
  const rows = [
    { title: 'A', url: 'https://a.test', tags: ['x'], note: null },
    { title: 'B', url: 'https://b.test', tags: [], note: 'only here', more: 1 },
    { title: 'C', url: 'https://c.test', tags: [], note: null },
  ]
  expect(resultShape({ query: 'q', results: rows, nextCursor: null })).toEqual({
    ...{ kind: 'table', name: 'results', columns: ['title', 'url'], rows },
    facts: [['query', 'q']],
  })
  expect(resultShape(rows)).toMatchObject({ kind: 'table', name: 'rows', facts: [] })
})

test('a document is text, beside what else is known of it', () => {
  expect(resultShape({ url: 'https://a.test', title: 'A', markdown: '# A', links: ['x'] })).toEqual({
    ...{ kind: 'text', text: '# A' },
    facts: [
      ['url', 'https://a.test'],
      ['title', 'A'],
    ],
  })
  expect(resultShape('Plain.')).toEqual({ kind: 'text', text: 'Plain.', facts: [] })
})

test('a few values are shown by name', () => {
  expect(resultShape({ priceUsd: 91_000, coinId: 'bitcoin', isFresh: true })).toEqual({
    kind: 'facts',
    facts: [
      ['priceUsd', 91_000],
      ['coinId', 'bitcoin'],
      ['isFresh', true],
    ],
  })
})

test.each([[null], [[]], [{}], [[1, 2]], [{ a: { b: 1 } }], [{ encoding: 'base64', content: 'AAAA' }]])(
  '%j stays JSON',
  (output) => {
    expect(resultShape(output)).toEqual({ kind: 'json' })
  },
)
