import { describe, expect, test } from 'vitest'
import { endOfPart, fitJson } from './fit-json'

const rows = Array.from({ length: 480 }, (_, i) => ({ id: i, title: `Home ${i}`, text: 'x'.repeat(1_000) }))

describe('a value that is too large', () => {
  test('keeps whole items of its list, and says how many of how many', () => {
    const { value, cuts } = fitJson({ rows, totalRows: 620, nextCursor: null }, 24_000)
    const fitted = value as { rows: unknown[]; totalRows: number }
    expect(fitted.totalRows).toBe(620)
    expect(fitted.rows.length).toBeGreaterThan(20)
    expect(fitted.rows).toEqual(rows.slice(0, fitted.rows.length))
    expect(cuts).toEqual([{ path: ['rows'], kind: 'items', shown: fitted.rows.length, total: 480 }])
    expect(JSON.stringify(value).length).toBeLessThanOrEqual(24_000)
  })

  test('cuts a text at the end of a line and keeps its end', () => {
    const text = Array.from({ length: 2_000 }, (_, i) => `line ${i}`).join('\n')
    const { value, cuts } = fitJson({ title: 'T', text }, 4_000)
    const fitted = value as { text: string }
    expect(fitted.text).toMatch(/^line 0\nline 1\n/)
    expect(fitted.text).toMatch(/line 1999$/)
    expect(fitted.text).toMatch(/\nline \d+\n\n\[… \d+ characters left out …\]\n/)
    expect(cuts[0]).toMatchObject({ path: ['text'], kind: 'characters', total: text.length })
    expect(text.slice(0, cuts[0]?.shown)).toMatch(/\n$/)
  })

  test('shows a part of each of a few large items', () => {
    const pages = [1, 2, 3].map((n) => ({ n, text: `page ${n} `.repeat(5_000) }))
    const { value, cuts } = fitJson({ pages }, 3_000)
    expect(JSON.stringify(value)).toMatch(/page 1.*page 2.*page 3/s)
    expect(cuts.map(({ path }) => path.join('.'))).toEqual(['pages.0.text', 'pages.1.text', 'pages.2.text'])
  })

  test('keeps whole values of an object with many keys', () => {
    const prices = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`coin-${i}`, { usd: i, eur: i }]))
    const { value, cuts } = fitJson({ prices }, 4_000)
    const shown = Object.keys((value as { prices: object }).prices).length
    expect(shown).toBeGreaterThan(80)
    expect(value).toEqual({ prices: Object.fromEntries(Object.entries(prices).slice(0, shown)) })
    expect(cuts).toEqual([{ path: ['prices'], kind: 'keys', shown, total: 2_000 }])
  })

  test('fits, whatever it is', () => {
    const nested = (depth: number): unknown =>
      depth === 0 ? '"\n'.repeat(900) : { a: nested(depth - 1), b: [nested(depth - 1)] }
    const many = Object.fromEntries(rows.map(({ id, text }) => [`key-${id}`, text]))
    const wide = Array.from({ length: 500 }, () => '😀'.repeat(300))
    for (const value of [
      nested(5),
      many,
      wide,
      'ü😀'.repeat(9_000),
      [[[rows]]],
      { a: rows, b: rows, c: 'x\n'.repeat(9_000) },
    ]) {
      for (const max of [200, 1_000, 7_200, 50_000]) {
        const fitted = fitJson(value, max)
        const size = JSON.stringify(fitted.value).length
        expect(size, `${max}`).toBeLessThanOrEqual(max)
        expect(fitted.cuts.length > 0).toBe(JSON.stringify(value).length > max)
        expect(JSON.stringify(fitted.value).isWellFormed()).toBe(true)
      }
    }
  })
})

test('a value that fits is the same value', () => {
  const value = { rows: rows.slice(0, 2) }
  expect(fitJson(value, 10_000)).toEqual({ value, cuts: [] })
})

test('a text ends after a line, else after a word, never inside a character', () => {
  expect(endOfPart('one two\nthree four', 9)).toBe(8)
  expect(endOfPart('one two three', 8)).toBe(8)
  expect(endOfPart('😀😀😀', 3)).toBe(2)
})

/** Numbers from 0 to 1 that are the same in every run of the test. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** A result as tools make them: rows of many fields, short and long, of which some are missing. */
function makeResult(random: () => number): unknown {
  const int = (max: number) => Math.floor(random() * max) + 1
  const words = (count: number) =>
    Array.from({ length: count }, (_, i) => `word${i}${i % 9 === 8 ? '.' : ''}${i % 40 === 39 ? '\n' : ''}`).join(' ')
  const fields: (() => unknown)[] = [
    () => words(int(4)),
    () => words(int(400)),
    () => int(100_000),
    () => random() > 0.5,
    () => `https://example.com/${words(2).replaceAll(' ', '-')}`,
    () => Array.from({ length: int(20) }, () => ({ url: `https://img.example.com/${int(10 ** 9)}.jpg` })),
    () => ({ amount: int(900), unit: words(1), note: words(int(60)) }),
  ]
  const shape = Array.from({ length: int(24) }, (_, i) => ({ key: `field${i}`, make: fields[int(fields.length) - 1] }))
  const row = () => Object.fromEntries([['title', words(int(12))], ...shape.map(({ key, make }) => [key, make?.()])])
  const list = Array.from({ length: int(60) }, row)
  return random() > 0.3 ? { rows: list, total: list.length, nextCursor: null } : random() > 0.5 ? list : row()
}

test('is never emptied, and fills the size it is given', () => {
  const random = makeRandom(7)
  for (let n = 0; n < 300; n++) {
    const value = makeResult(random)
    const max = Math.floor(150 * 200 ** random())
    const whole = JSON.stringify(value).length
    const { value: fitted, cuts } = fitJson(value, max)
    const text = JSON.stringify(fitted)
    const about = `${n}: ${whole} characters in ${max}: ${text.slice(0, 300)}`
    expect(text.length, about).toBeLessThanOrEqual(max)
    expect(text, about).not.toMatch(/""|\{\}|\[\]|\bnull(?![,}])|:"…"/)
    expect(/title|word|\d{3}/.test(text), about).toBe(true)
    if (whole > max) expect(cuts.length, about).toBeGreaterThan(0)
    if (whole > max && max > 600) expect(text.length, about).toBeGreaterThan(max * 0.5)
  }
})

describe('an address', () => {
  const url = 'https://www.example.com/r/climate/comments/5gb6bdtcgv6/pump_comparison_of_the_north'

  test('is whole or left out, alone and within a text', () => {
    const text = `Heat pumps keep their promise, says [the study](${url}) of the year. `.repeat(40)
    const rows = Array.from({ length: 9 }, (_, i) => ({ title: `Post ${i}`, url: `${url}/${i}`, text }))
    for (let size = 200; size < 6_000; size += 37) {
      const { value } = fitJson({ rows, text, url }, size)
      const shown = JSON.stringify(value ?? null).match(/https?:[^\s")\]\\]*/g) ?? []
      for (const address of shown)
        expect(address).toMatch(
          /^https:\/\/www.example.com\/r\/climate\/comments\/5gb6bdtcgv6\/pump_comparison_of_the_north(\/\d)?$/,
        )
    }
  })

  test('of a row comes right after its title', () => {
    const rows = Array.from({ length: 3 }, (_, i) => ({
      title: `Post ${i}`,
      snippet: 'Long text. '.repeat(90),
      url: `${url}/${i}`,
    }))
    const { value } = fitJson({ rows }, 900)
    for (const row of (value as { rows: { url?: string }[] }).rows) expect(row.url).toContain(url)
    const cramped = fitJson({ rows: rows.map((row) => ({ ...row, more: row.snippet, text: row.snippet })) }, 900).value
    for (const row of (cramped as { rows: { url?: string; title?: string }[] }).rows)
      expect(row).toMatchObject({ title: expect.stringContaining('Post'), url: expect.stringContaining(url) })
  })
})
