import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { UsageTotals } from '@/server/credits/shape'
import { UsageChart } from './breakdown'
import { changeText, UsageTotalsRow } from './totals'

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

const pace = { before: null, measured: 1_200, p50Ms: 420, p95Ms: 2_100 }

test('totals show credits with money, calls, tokens, failures and durations', () => {
  const html = renderToStaticMarkup(<UsageTotalsRow of={sum} creditsPerUsd={1_000} pace={pace} />)
  for (const text of [
    '5\u202f000',
    '$5.00',
    '1\u202f200',
    '70 in, 30 out',
    '1.0 % of the calls',
    '420 ms',
    '95 % within 2.1 s',
  ])
    expect(html).toContain(text)
  expect(html).not.toContain('Refused')
})

test('totals are beside those of the days before, and refused requests beside the calls', () => {
  const before = { days: 7, total: { ...sum, charged: 4_000, calls: 1_200 } }
  const refused = { totals: { unit: 'day' as const, buckets: [], series: [], requests: 300 }, range: 'week' as const }
  const html = renderToStaticMarkup(
    <UsageTotalsRow of={sum} creditsPerUsd={1_000} pace={{ ...pace, before, measured: 1_000 }} refused={refused} />,
  )
  for (const text of [
    '+25 % on the 7 days before',
    'As in the 7 days before',
    'newest 1\u202f000',
    'Refused in 7 days',
    '20 % of requests',
  ])
    expect(html).toContain(text)
  const none = { ...before, total: { ...sum, charged: 0 } }
  expect(changeText(5, { ...pace, before: none }, ({ charged }) => charged)).toBe('None in the 7 days before')
  expect(changeText(0, { ...pace, before: none }, ({ charged }) => charged)).toBe('')
  expect(changeText(1_000, { ...pace, before }, ({ charged }) => charged)).toBe('−75 % on the 7 days before')
})
