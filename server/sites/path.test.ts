import { describe, expect, it, test } from 'vitest'
import { contentTypeOf } from './content-type'
import { makeDraft } from './draft'
import { checkPathsCompatible, parseSitePath } from './path'
import { isSlug, MAX_SITE_FILE_BYTES, MAX_SITE_FILES } from './shape'

describe('sitePath', () => {
  it.each([
    ['index.html', 'index.html'],
    ['./a//b/./c.css', 'a/b/c.css'],
    ['docs/100%.txt', 'docs/100%.txt'],
    ['.well-known/x', '.well-known/x'],
    ['...', '...'],
    ['cafe\u0301.html', 'caf\u00e9.html'],
  ])('keeps %j as %j', (given, kept) => expect(parseSitePath(given)).toBe(kept))

  it.each([
    ...['..', '../x', 'a/../b', 'a/..', '/etc/passwd', '//x', '\\x', 'a\\..\\b', 'C:/x', 'c:x', '', '.', './', 'a/'],
    ...['a\0b', 'a\nb', 'a\u007f', '\ud800', 'x'.repeat(301)],
  ])('refuses %j', (given) => {
    expect(() => parseSitePath(given)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })
})

test.each([
  [['a', 'a'], 'twice'],
  [['Index.html', 'index.html'], 'upper and lower case'],
  [['a', 'a/b'], 'is a file'],
  [['A/b/c', 'a/B'], 'is a file'],
])('%j cannot stand together', (paths, why) => {
  expect(() => checkPathsCompatible(paths)).toThrow(why)
})

test.each([
  ['index.html', 'text/html; charset=utf-8'],
  ['a/b.JS', 'text/javascript; charset=utf-8'],
  ['logo.svg', 'image/svg+xml; charset=utf-8'],
  ['p.png', 'image/png'],
  ['x.constructor', 'application/octet-stream'],
  ['.html', 'application/octet-stream'],
  ['README', 'application/octet-stream'],
])('%s is served as %s', (path, type) => expect(contentTypeOf(path)).toBe(type))

test.each(['abc', 'my-site', 'a1b', '123', 'x'.repeat(63)])('%s may name a site', (slug) => {
  expect(isSlug(slug)).toBe(true)
})
test.each([
  ...['', 'ab', 'x'.repeat(64), 'Abc', 'a_b', 'a.b', '-abc', 'abc-', 'a--b', 'a/b', '../x', 'äbc', 'abc\n'],
  ...['api', 'dashboard', 'sites', 'sign-in'],
])('%j may not', (slug) => expect(isSlug(slug)).toBe(false))

describe('draftOf', () => {
  const code = (files: Parameters<typeof makeDraft>[1]) => {
    try {
      makeDraft(1, files)
    } catch (error) {
      return (error as { code: string }).code
    }
    return null
  }

  it('takes text and base64, and gives equal bytes of one owner one name', () => {
    const [a, b] = makeDraft(1, [
      { path: 'a.txt', content: 'hé' },
      { path: 'b.bin', base64: 'aMOp\n' },
    ])
    expect(a).toMatchObject({ bytes: 3, contentType: 'text/plain; charset=utf-8' })
    expect(b?.fileId).toBe(a?.fileId)
    expect(makeDraft(2, [{ path: 'a.txt', content: 'hé' }])[0]?.fileId).not.toBe(a?.fileId)
  })

  it.each([
    ['no files', []],
    ['neither', [{ path: 'a' }]],
    ['both', [{ path: 'a', content: '', base64: '' }]],
    ['bad base64', [{ path: 'a', base64: 'a%==' }]],
    ['cut base64', [{ path: 'a', base64: 'abcde' }]],
  ])('refuses %s', (_what, files) => expect(code(files)).toBe('invalid_request'))

  it('refuses what is too much', () => {
    expect(code([{ path: 'a', content: 'x'.repeat(MAX_SITE_FILE_BYTES + 1) }])).toBe('payload_too_large')
    expect(code(Array.from({ length: MAX_SITE_FILES + 1 }, (_, i) => ({ path: `${i}`, content: '' })))).toBe(
      'payload_too_large',
    )
    const big = 'x'.repeat(MAX_SITE_FILE_BYTES)
    expect(code(Array.from({ length: 5 }, (_, i) => ({ path: `${i}`, content: big })))).toBe('payload_too_large')
  })
})
