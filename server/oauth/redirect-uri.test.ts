import { describe, expect, it } from 'vitest'
import { cleanClientName } from './client-name'
import { isRegisteredRedirect, parseRedirectUri, redirectWith } from './redirect-uri'

describe('a redirect URI', () => {
  it.each([
    ['https://app.example/cb?x=1', { kind: 'website', host: 'app.example' }],
    ['https://app.example:8443/', { kind: 'website', host: 'app.example:8443' }],
    ['http://localhost/cb', { kind: 'loopback', host: 'localhost' }],
    ['http://127.0.0.1:5/cb', { kind: 'loopback', host: '127.0.0.1:5' }],
    ['http://[::1]:5/cb', { kind: 'loopback', host: '[::1]:5' }],
    ['com.example.app:/cb', { kind: 'app', host: 'com.example.app' }],
    ['cursor://anysphere.cursor-retrieval/oauth/cb', { kind: 'app', host: 'cursor' }],
    ['vscode://vscode.git/cb', { kind: 'app', host: 'vscode' }],
  ])('%s leads to an application or a website', (uri, target) => {
    expect(parseRedirectUri(uri)).toEqual(target)
  })

  it.each([
    'http://app.example/cb',
    'http://127.0.0.2/cb',
    'http://0.0.0.0/cb',
    'http://localhost.example/cb',
    'https://app.example/cb#',
    'https://a@app.example/cb',
    'search-ms:query',
    'shell:x',
    'blob:https://app.example/x',
    'view-source:https://app.example/',
    'ftp://app.example/',
    '.com:/cb',
  ])('%s is refused', (uri) => {
    expect(parseRedirectUri(uri)).toBeNull()
  })

  it('is compared character by character, but for the port of a loopback address', () => {
    const isKnown = (uri: string, ...known: string[]) => isRegisteredRedirect(uri, known)
    expect(isKnown('http://localhost:9/cb', 'http://localhost/cb')).toBe(true)
    expect(isKnown('http://localhost:9/cb', 'https://localhost/cb')).toBe(false)
    expect(isKnown('https://app.example:443/cb', 'https://app.example/cb')).toBe(false)
    expect(isKnown('https://app.example/cb', 'https://app.example/cb')).toBe(true)
    expect(isKnown('com.example.app:/cb', 'com.example.app:/other', 'com.example.app:/cb')).toBe(true)
    expect(isKnown('javascript:x', 'javascript:x')).toBe(false)
  })

  it('keeps its own query and gets the parameters of the response, encoded', () => {
    expect(redirectWith('https://app.example/cb?x=1', { code: 'a&b', state: undefined })).toBe(
      'https://app.example/cb?x=1&code=a%26b',
    )
    expect(redirectWith('cursor://host/cb', { code: 'c', iss: 'https://t.example' })).toBe(
      'cursor://host/cb?code=c&iss=https%3A%2F%2Ft.example',
    )
  })
})

describe('a client’s name', () => {
  it('is one visible line, or the fallback', () => {
    expect(cleanClientName('  My\tapp \u202Ereversed ', 'x')).toBe('My app reversed')
    expect(cleanClientName(undefined, 'app.example')).toBe('app.example')
    expect(cleanClientName('\u2066\u0000', 'app.example')).toBe('app.example')
  })

  it('is cut between characters', () => {
    const name = cleanClientName('😀'.repeat(100), 'x')
    expect(name.length).toBeLessThanOrEqual(60)
    expect(name).toMatch(/^(😀)+$/u)
  })
})
