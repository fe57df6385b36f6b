import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
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
