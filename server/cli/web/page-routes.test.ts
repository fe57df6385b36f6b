import { expect, test } from 'vitest'
import { makePageRouteFinder } from './page-routes'

const routeOf = makePageRouteFinder([
  '/',
  '/keys',
  '/keys/new',
  '/keys/[id]',
  '/agent/[id]/steps/[index]',
  '/docs/[...slug]',
])

test.each([
  ['/', '/'],
  ['/keys', '/keys'],
  ['/keys/new', '/keys/new'],
  ['/keys/12', '/keys/[id]'],
  ['/keys/12/', '/keys/[id]'],
  ['/agent/a1/steps/3', '/agent/[id]/steps/[index]'],
  ['/docs/models/prices', '/docs/[...slug]'],
  ['/_next/static/chunks/1.js', '/_next/*'],
  ['/wp-login.php', 'other'],
  ['/keys/12/34', 'other'],
])('%s is a request for %s', (asked, route) => {
  expect(routeOf(asked)).toBe(route)
})
