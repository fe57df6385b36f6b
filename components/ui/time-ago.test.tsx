import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ExactTime, TimeAgo } from './time-ago'
import { TimeZoneProvider } from './time-zone'

it('a time has its exact form in the zone of the owner', () => {
  const html = renderToStaticMarkup(
    <TimeZoneProvider value="Europe/Berlin">
      <TimeAgo at="2024-11-21T23:30:05Z" />
      <ExactTime at="2024-11-21T23:30:05Z" />
    </TimeZoneProvider>,
  )
  expect(html).toContain('title="2024-11-22 00:30:05 CET"')
  expect(html).toContain('data-exact="2024-11-22 00:30:05 CET"')
  expect(html).toMatch(/yr\. ago|last yr\./)
  expect(html).toContain('>2024-11-22 00:30:05 CET<')
})
