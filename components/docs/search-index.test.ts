import { afterEach, expect, test, vi } from 'vitest'
import { excerptOf, loadSearch } from './search-index'

const entries = [
  { url: '/docs/a', page: 'First call', heading: '', text: 'Make a key and call a tool.' },
  { url: '/docs/a#limits', page: 'First call', heading: 'Limits', text: 'A key may spend so many credits.' },
  { url: '/docs/b', page: 'Agents', heading: '', text: 'A run has limits of its own, which its key sets.' },
]

afterEach(() => vi.unstubAllGlobals())

test('headings come before texts, words may be begun or mistyped, and all must match', async () => {
  vi.stubGlobal('fetch', async () => Response.json(entries))
  const search = await loadSearch()
  const urls = (words: string) => search(words).map(({ url }) => url)
  expect(urls('limits')).toEqual(['/docs/a#limits', '/docs/b'])
  expect(urls('limi')).toEqual(['/docs/a#limits', '/docs/b'])
  expect(urls('agemts')).toEqual(['/docs/b'])
  expect(urls('key credits')).toEqual(['/docs/a#limits'])
  expect(urls('nothing here')).toEqual([])
})

test('a failure to load is an error that says so', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 503 }))
  await expect(loadSearch()).rejects.toThrow('cannot be loaded')
})

test('an excerpt shows the first word that was found', () => {
  const text = `${'before '.repeat(30)}toll ${'after '.repeat(30)}`
  expect(excerptOf(text, ['toll'])).toMatch(/^… before before.* toll after.* …$/)
  expect(excerptOf(text, ['toll']).length).toBeLessThan(120)
  expect(excerptOf('A toll road', ['toll'])).toBe('A toll road')
  expect(excerptOf('A road', [])).toBe('A road')
})
