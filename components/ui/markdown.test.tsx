import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { formatValue, parseChart } from '../charts/chart-block'
import { ValueChart } from '../charts/value-chart'
import { Markdown } from './markdown'

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />)

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<iframe src="https://evil.example"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '<style>body{display:none}</style>',
  '<form action="/x"><button>y</button></form>',
  '<svg/onload=alert(1)>',
])('%s is shown as text', (text) => {
  const drawn = html(`Before\n\n${text}\n\nafter ${text} it`)
  expect(drawn).not.toMatch(/<(script|img|iframe|style|form|svg|button)/i)
  expect(drawn).not.toMatch(/href="javascript:/i)
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'vbscript:x',
  'data:text/html,<script>alert(1)</script>',
  'java\nscript:alert(1)',
])('a link to %s is removed', (target) => {
  expect(html(`[x](${target}) ![y](${target}) <${target}>`)).not.toMatch(
    /(href|src)="\s*(javascript|vbscript|data:text)/i,
  )
})

test('links open without a referrer, and images become links', () => {
  const drawn = html('[a](https://example.com) ![cat](https://example.com/cat.png)')
  expect(drawn).toContain('href="https://example.com"')
  expect(drawn).toMatch(/rel="noopener noreferrer nofollow"/)
  expect(drawn).not.toContain('<img')
  expect(drawn).toContain('>cat</a>')
})

test('tables, code and headings are rendered, headings below those of the page', () => {
  const drawn = html('# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet x = "<b>"\n```')
  expect(drawn).toMatch(/<h3[^>]*>Title<\/h3>/)
  expect(drawn).toMatch(/<td[^>]*>1<\/td>/)
  expect(drawn).toContain('&lt;b&gt;')
})

describe('a chart block', () => {
  const block = (chart: unknown) => `Before\n\n\`\`\`chart\n${JSON.stringify(chart)}\n\`\`\`\n\nAfter`
  const drawnOf = (chart: unknown) => {
    const read = parseChart(JSON.stringify(chart))
    return read ? renderToStaticMarkup(<ValueChart chart={read} />) : ''
  }
  const rows = [
    ['Centro', 5123.4],
    ['Salamanca', -1000],
  ]

  test.each(['bar', 'line'])('of type %s is drawn, with its numbers as a table', (type) => {
    const chart = { type, title: 'Price by <district>', unit: '€/m²', rows }
    const drawn = drawnOf(chart)
    expect(drawn).toContain('aria-label="Price by &lt;district&gt;"')
    expect(drawn).toContain('in €/m²')
    expect(drawn).toMatch(/<th scope="row"[^>]*>(<div[^>]*>)?Centro<\//)
    expect(drawn).toMatch(/<td[^>]*>5\u202f123<\/td>/)
    expect(drawn).toMatch(/<td[^>]*>−1\u202f000<\/td>/)
    expect(drawn).not.toContain('NaN')
    expect(html(block(chart))).toMatch(/min-height:\d+px/)
    expect(html(block(chart))).not.toContain('<pre')
  })

  test.each([
    { type: 'pie', title: 'x', rows },
    { type: 'bar', rows },
    { type: 'bar', title: 'x', rows: [] },
    { type: 'bar', title: 'x', rows: [['Centro', '5']] },
    { type: 'bar', title: 'x', rows: [['Centro', 5, 6]] },
    { type: 'bar', title: 'x', unit: 3, rows },
    { type: 'bar', title: 'x', rows: Array.from({ length: 101 }, () => ['a', 1]) },
    ['bar'],
    null,
  ])('that is %j stays code', (chart) => {
    expect(html(block(chart))).toContain('<pre')
  })

  test('that is not whole yet stays code, and so does one in a trusted document', () => {
    expect(html('```chart\n{"type":"bar","title":"x","ro')).toContain('<pre')
    const drawn = renderToStaticMarkup(<Markdown trusted text={block({ type: 'bar', title: 'x', rows })} />)
    expect(drawn).toContain('<pre')
  })

  test('of one value, or of equal ones, has a place for each', () => {
    for (const type of ['bar', 'line'])
      for (const values of [
        [['a', 0]],
        [['a', 7]],
        [
          ['a', 2],
          ['a', 2],
        ],
      ])
        expect(drawnOf({ type, title: 'x', rows: values })).not.toMatch(/NaN|Infinity|undefined/)
  })
})

test.each([
  [0, '0'],
  [12.345, '12.35'],
  [0.000123456, '0.000123'],
  [68_345.678, '68\u202f346'],
  [-1_234_567, '−1\u202f234\u202f567'],
])('%d is shown as %s', (value, text) => {
  expect(formatValue(value)).toBe(text)
})
