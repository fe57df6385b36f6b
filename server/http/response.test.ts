import { expect, test } from 'vitest'
import { responseHeaders } from './response'

test('a deprecated operation says since when, until when, and what to use', () => {
  const deprecated = { since: '2027-01-01', sunset: '2027-07-01', instead: '/docs/changelog' }
  expect(responseHeaders('x', { deprecated })).toMatchObject({
    deprecation: '@1798761600',
    sunset: 'Thu, 01 Jul 2027 00:00:00 GMT',
    link: '</docs/changelog>; rel="deprecation"; type="text/html"',
  })
  expect(responseHeaders('x', {})).not.toHaveProperty('deprecation')
})
