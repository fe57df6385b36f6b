import { expect, test } from 'vitest'
import { localPath } from './local-path'

test.each(['/overview', '/keys/7?tab=curl', '/usage?from=2026-01-01#row'])('%s is a path of this site', (path) => {
  expect(localPath(path, '/overview')).toBe(path)
})

test.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/\t/evil.example',
  '/\n/evil.example',
  '',
  [undefined],
  [['/a', '/b']],
])('%j leads nowhere but home', (path) => {
  expect(localPath(path, '/overview')).toBe('/overview')
})

test('dots cannot climb into another host', () => {
  expect(localPath('/a/..//evil.example', '/overview')).not.toMatch(/^\/\//)
})
