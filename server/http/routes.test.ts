import { expect, test } from 'vitest'
import { allRoutes, matchPath, parseParam, pathParams } from './routes'

const routes = allRoutes()
const at = (path: string) =>
  matchPath(routes, path.split('/').filter(Boolean)).map((r) => `${r.method} /${r.parts.join('/')}`)

test('a path leads to its operation, with its parameters still text', () => {
  expect(at('/query')).toEqual(['POST /query'])
  expect(at('/usage')).toEqual(['GET /usage'])
  expect(at('/usage/abc')).toEqual(['GET /usage/{requestId}'])
  const [route] = matchPath(routes, ['usage', 'a%20b'])
  expect(route && pathParams(route, ['usage', 'a%20b'])).toEqual([['requestId', 'a%20b']])
})

test('a tail takes the rest of the path, slashes and all, and is not the list above it', () => {
  expect(at('/models')).toEqual(['GET /models'])
  for (const parts of [
    ['models', 'a'],
    ['models', 'a', 'b'],
    ['models', 'a%2Fb', 'c', 'd'],
  ]) {
    const [route, ...others] = matchPath(routes, parts)
    expect(others).toEqual([])
    expect(route && pathParams(route, parts)).toEqual([['model', parts.slice(1).join('/')]])
  }
})

test.each(['/', '/nope', '/query/x', '/usage/a/b', '/Query', '/constructor', '/__proto__', '/{requestId}'])(
  '%s leads nowhere',
  (path) => {
    expect(at(path)).toEqual([])
  },
)

test('static paths come before those with parameters', () => {
  const params = routes.map((r) => r.parts.filter((p) => p.startsWith('{')).length)
  expect(params).toEqual([...params].sort())
})

test('no two operations share a method and a path', () => {
  const shapes = routes.map((r) => `${r.method} /${r.parts.map((p) => (p.startsWith('{') ? '{}' : p)).join('/')}`)
  expect(new Set(shapes).size).toBe(shapes.length)
})

test('every field of a path is an input of its operation', () => {
  for (const route of routes) {
    for (const part of route.parts.filter((p) => p.startsWith('{')))
      expect(route.fields.has(part.slice(1, -1))).toBe(true)
  }
})

test('optional and defaulted fields keep their kind', () => {
  const usage = routes.find((r) => r.parts.join('/') === 'usage')
  expect(Object.fromEntries(usage?.fields ?? [])).toMatchObject({
    limit: 'number',
    keyId: 'number',
    cursor: 'text',
    status: 'text',
    from: 'text',
  })
})

test.each([
  ['5', 'number', 5],
  ['-1.5', 'number', -1.5],
  ['', 'number', ''],
  [' ', 'number', ' '],
  ['five', 'number', 'five'],
  ['Infinity', 'number', 'Infinity'],
  ['NaN', 'number', 'NaN'],
  ['true', 'boolean', true],
  ['false', 'boolean', false],
  ['TRUE', 'boolean', 'TRUE'],
  ['1', 'boolean', '1'],
  ['5', 'text', '5'],
] as const)('%j as %s is %j', (text, kind, value) => {
  expect(parseParam(text, kind)).toBe(value)
})

test('an operation reads no list that is longer than its schema takes, but for what may be any JSON', () => {
  const longest = (method: string, path: string) => routes.find((r) => r.method === method && r.path === path)?.maxItems
  // One more than the customers of a scope, 1,000, so that the schema says which list is too long.
  expect(longest('PUT', '/manage/budgets/{id}')).toBe(1_001)
  expect(longest('POST', '/query')).toBe(undefined)
})
