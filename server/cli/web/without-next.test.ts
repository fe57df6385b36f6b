import { describe, expect, test } from 'vitest'
import { withoutNext } from './without-next'

const PAGE = [
  '<!DOCTYPE html><html><head><link rel="stylesheet" href="/a.css"/>',
  '<link rel="preload" as="script" href="/a.js"/><script src="/a.js" async=""></script></head>',
  '<body><p>&lt;script&gt;</p><script>self.__next_f.push([1,"</p>\\u003c/script>"])</script><p>$&amp; end</p></body></html>',
].join('')

describe('a public page', () => {
  test('keeps its markup and styles, and has no script of Next', () => {
    const html = withoutNext(PAGE, '/islands-1.js', 'abc')
    expect(html).toContain('<body><p>&lt;script&gt;</p><p>$&amp; end</p></body></html>')
    expect(html).toContain('href="/a.css"')
    expect(html).not.toMatch(/a\.js|__next_f/)
  })

  test('loads the script of its islands, which the policy of this response allows', () => {
    const html = withoutNext(PAGE, '/islands-1.js', '$&c')
    expect(html).toContain('<script type="module" src="/islands-1.js" nonce="$&c"></script>')
    expect(html.match(/<script /g)).toHaveLength(2)
  })

  test('keeps the script for what is done before the others are there', () => {
    const early = '<script data-early="" nonce="abc">addEventListener("submit", hold)</script>'
    const html = withoutNext(PAGE.replace('<head>', `<head>${early}`), '/islands-1.js', 'abc')
    expect(html.indexOf(early)).toBeLessThan(html.indexOf('<script type="module"'))
    expect(html.match(/<script /g)).toHaveLength(3)
  })

  test('whose last script does not end is left as it is from there on', () => {
    expect(withoutNext('<p>a</p><script>b', '/i.js', 'n')).toBe('<p>a</p><script>b')
  })
})
