import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { UsageTotals } from '@/server/credits/shape'
import { UsageChart } from './breakdown'
import { UsageTotalsRow } from './totals'

const sum = { calls: 1_200, charged: 5_000, failed: 12, inputTokens: 70, outputTokens: 30 }
const totals: UsageTotals = {
  unit: 'day',
  buckets: ['2026-11-20T00:00', '2026-11-21T00:00'],
  timeZone: 'Europe/Berlin',
  total: sum,
  series: [
    { ...sum, id: '7', name: 'nightly', values: [4_000, 0], charged: 4_000 },
    { ...sum, id: null, name: 'Other', values: [0, 1_000], charged: 1_000 },
  ],
}

test('a part of the breakdown leads to its calls; the rest leads nowhere', () => {
  const html = renderToStaticMarkup(<UsageChart totals={totals} by="key" filters={{ range: '7d', status: 'failed' }} />)
  expect(html).toContain('href="/usage?range=7d&amp;status=failed&amp;keyId=7"')
  expect(html).not.toContain('keyId=null')
})

test('totals show credits with money, calls, tokens and failures', () => {
  const html = renderToStaticMarkup(<UsageTotalsRow of={sum} creditsPerUsd={1_000} />)
  for (const text of ['5\u202f000', '$5.00', '1\u202f200', '70 in, 30 out', '1.0 % of the calls'])
    expect(html).toContain(text)
})
