import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { parseTrafficPage } from './traffic-page'
import { TrafficTable } from './traffic-table'
import type { OwnerTraffic } from './views'

const row: OwnerTraffic = {
  id: 7,
  email: 'busy@example.com',
  suspendedFor: null,
  requests: 12_345,
  refused: { 402: 1_200, 403: 0, 429: 40 },
  errors: 3,
  averageMs: 240,
  slowestMs: 61_000,
  totalMs: 7_200_000,
  inProgress: 17,
  spent: 9_876,
}

const htmlOf = (rows: OwnerTraffic[], query = '') => {
  const { sort } = parseTrafficPage(Object.fromEntries(new URLSearchParams(query)))
  return renderToStaticMarkup(
    <SearchParamsContext value={new URLSearchParams(query)}>
      <TrafficTable rows={rows} sort={sort} />
    </SearchParamsContext>,
  ).replaceAll('\u202f', ' ')
}

describe('owners by traffic', () => {
  it('have their figures, refusals by status, and a link', () => {
    const html = htmlOf([row])
    for (const text of ['12 345', '1 240', '402: 1 200, 429: 40', 'at most 1 min 1 s', '>17<', '9 876'])
      expect(html).toContain(text)
    expect(html).not.toContain('403')
    expect(html).toContain('href="/operators/owners/7"')
  })

  it('say so where nothing was answered, and who is suspended', () => {
    const html = htmlOf([{ ...row, averageMs: 0, slowestMs: 0, totalMs: 0, suspendedFor: 'an unpaid invoice' }])
    expect(html).toContain('none answered')
    expect(html).toContain('title="an unpaid invoice"')
  })

  it('are sorted by the column of the URL, most first, which narrow screens show', () => {
    const html = htmlOf([row], 'range=day&sort=errors')
    expect(html).toMatch(
      /<th[^>]*aria-sort="descending"[^>]*><a[^>]*range=day&amp;sort=errors&amp;order=desc[^>]*>Errors/,
    )
    const names = [...html.matchAll(/<th[^>]*class="([^"]*)"[^>]*>(?:<a[^>]*>)?([^<]+)/g)]
    expect(names.filter(([, className]) => !className?.includes('max-lg:hidden')).map(([, , name]) => name)).toEqual([
      'Owner',
      'Errors',
    ])
    expect(htmlOf([row])).toMatch(/aria-sort="descending"[^>]*><a[^>]*>Requests/)
  })

  it('are those of the last hour by requests where the URL names nothing valid', () => {
    expect(parseTrafficPage({ range: 'week', sort: 'owner' })).toEqual({ range: 'hour', sort: 'requests' })
    expect(parseTrafficPage({ range: 'now', sort: 'time' })).toEqual({ range: 'now', sort: 'time' })
    expect(parseTrafficPage({ range: 'day', sort: 'latency' })).toEqual({ range: 'day', sort: 'latency' })
  })
})
