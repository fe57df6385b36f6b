import { describe, expect, test } from 'vitest'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { readShown } from '../../sandbox/player/shown'
import { forumSearch } from '../../tools/forum/forum_search'
import { propertySearch } from '../../tools/property/property_search'
import { resultText } from './result-text'
import { trimResult } from './result-trim'

withSandboxProviders()

const PAGE = 'A line, with "quotes".\n["not","a row"]\n'.repeat(40)

describe('a result as a model reads it', () => {
  test.each([
    ['a small record', { url: 'https://a.example', ok: true, n: 1.5 }],
    [
      'rows',
      {
        total: 2,
        rows: [
          { a: 1, b: { c: 'x' } },
          { a: 2, b: { c: 'y' }, rare: [1, { d: 2 }] },
        ],
      },
    ],
    ['a list', [{ a: 'x' }, { a: 'y' }]],
    ['flags and defaults', { rows: ['x', 'y', 'z'].map((a, i) => ({ a, flag: i > 0, same: 'EUR' })) }],
    ['texts', { title: 'T', markdown: PAGE, page: { text: PAGE, rows: [{ a: 1 }, { a: 2 }] } }],
    ['records by key', Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`coin-${i}`, { usd: i, eur: i / 2 }]))],
    ['lists of texts', { lines: Array.from({ length: 60 }, (_, i) => `line ${i}`) }],
    ['nothing found', { rows: [], total: 0 }],
  ])('says all of %s', (_, value) => {
    expect(readShown(resultText(value))).toEqual(value)
  })

  test('names columns once, values of most rows once, and nothing that is empty', () => {
    const rows = Array.from({ length: 5 }, (_, i) => ({
      title: `T${i}`,
      city: i === 3 ? 'B' : 'A',
      note: null,
      url: '',
    }))
    expect(resultText(trimResult('videosite_search', { rows }).value)).toBe(
      'rows: ["title"] defaults {"city":"A"}\n["T0"]\n["T1"]\n["T2"]\n["T3",{"city":"B"}]\n["T4"]',
    )
  })

  test('of homes has what is asked of them, in a sixth of its JSON', async () => {
    const result = (await toolResult(propertySearch, propertySearch.sandboxExample ?? propertySearch.example)) as {
      rows: { propertyId: string; price: number; url: string; address: string }[]
    }
    const rows = result.rows.slice(0, 33)
    const { value, left } = trimResult('property_search', { ...result, rows })
    const text = resultText(value)
    expect(text.length).toBeLessThanOrEqual(9_000)
    expect(left).toEqual(expect.arrayContaining(['images', 'thumbnail', 'latitude', 'description']))
    expect(readShown(text)).toMatchObject({
      rows: rows.map(({ propertyId, price, url, address }) => ({ propertyId, price, url, address })),
    })
  })

  test('has every post of a search with its id and address', async () => {
    const result = (await toolResult(forumSearch, { query: 'rye starter' })) as {
      rows: { postId: string; url: string }[]
    }
    const text = resultText(trimResult('forum_search', result).value)
    expect(text.length).toBeLessThan(JSON.stringify(result).length * 0.6)
    for (const { postId, url } of result.rows) {
      expect(text).toContain(`"${postId}"`)
      expect(text).toContain(url)
    }
  })

  test('keeps what a person has called an id', () => {
    const rows = [{ customerId: 'c1', thumbnail: 'https://a.example/1.png' }, { customerId: 'c2' }]
    expect(trimResult('dataset_query', { rows })).toEqual({ value: { rows }, left: [] })
    expect(trimResult('forum_search', { rows: [{ title: 'A', customerId: 'c' }, { title: 'B' }] }).value).toEqual({
      rows: [{ title: 'A' }, { title: 'B' }],
    })
  })
})
