import { expect, test } from 'vitest'
import { resultShape } from './result-shape'

test('a list is a table, columns that most rows have first, and what is beside it has names', () => {
  const rows = [
    { title: 'A', url: 'https://a.test', tags: ['x', 'y'], note: null },
    { title: 'B', url: 'https://b.test', tags: [], note: 'only here', more: [{ a: 1 }] },
    { title: 'C', url: 'https://c.test', tags: ['z'], note: null },
  ]
  const shape = resultShape({ query: 'q', results: rows, nextCursor: null })
  expect(shape).toMatchObject({ facts: [['query', 'q']], text: null, areFactsFirst: true })
  expect(shape?.tables.map(({ name, columns }) => [name, columns])).toEqual([
    ['results', ['title', 'url', 'tags', 'note', 'more']],
  ])
  expect(shape?.tables[0]?.rows.map((row) => Object.fromEntries(row))).toEqual([
    { title: 'A', url: 'https://a.test', tags: 'x, y' },
    { title: 'B', url: 'https://b.test', note: 'only here', more: '1 item' },
    { title: 'C', url: 'https://c.test', tags: 'z' },
  ])
  expect(resultShape(rows)).toMatchObject({ areFactsFirst: false, tables: [{ name: 'rows' }] })
})

test('fields of fields have joined names, in lists and beside them', () => {
  const shape = resultShape({
    rows: [{ coinId: 'bitcoin', prices: { usd: { price: 91_000 }, eur: { price: 84_000 } } }],
    run: { id: 'r', inner: { items: [{ a: 1 }] } },
  })
  expect(shape?.tables.map(({ name, columns }) => [name, columns])).toEqual([
    ['rows', ['coinId', 'prices.usd.price', 'prices.eur.price']],
    ['run.inner.items', ['a']],
  ])
  expect(shape?.facts).toEqual([['run.id', 'r']])
})

test('a document is text, beside what else is known of it', () => {
  expect(resultShape({ url: 'https://a.test', title: 'A', markdown: '# A', links: ['x'] })).toEqual({
    text: '# A',
    tables: [],
    areFactsFirst: true,
    facts: [
      ['url', 'https://a.test'],
      ['title', 'A'],
      ['links', 'x'],
    ],
  })
  expect(resultShape('Plain.')).toEqual({ text: 'Plain.', tables: [], facts: [], areFactsFirst: true })
})

test('a few values are shown by name', () => {
  expect(resultShape({ priceUsd: 91_000, coinId: 'bitcoin', isFresh: true, logo: null })).toEqual({
    text: null,
    tables: [],
    areFactsFirst: true,
    facts: [
      ['priceUsd', 91_000],
      ['coinId', 'bitcoin'],
      ['isFresh', true],
    ],
  })
})

test.each([
  [null],
  [[]],
  [{}],
  [''],
  [[1, 2]],
  [{ rows: [], nextCursor: null }],
  [{ encoding: 'base64', content: 'AAAA' }],
])('%j stays JSON', (output) => {
  expect(resultShape(output)).toBeNull()
})
