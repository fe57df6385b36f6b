import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ChartNumbers } from './numbers-table'
import { formatBucket } from './series'
import { StackedBars } from './stacked-bars'

const days = ['2026-11-19', '2026-11-20', '2026-11-21']
const draw = (series: { name: string; values: number[] }[]) =>
  renderToStaticMarkup(<StackedBars buckets={days} series={series} label="Credits per day" />)

/** The bars in the markup: position, height and colour. */
const bars = (html: string) =>
  [...html.matchAll(/<path d="([^"]*)" class="fill-chart-(\d)"/g)].flatMap(([, path = '', fill]) =>
    [...path.matchAll(/M([\d.]+) ([\d.]+)h[\d.]+v([\d.]+)/g)].map(([, x, y, height]) => ({
      x: Number(x),
      y: Number(y),
      height: Number(height),
      fill: Number(fill),
    })),
  )

test('a day is stacked from the bottom, each part as tall as its credits', () => {
  const drawn = bars(
    draw([
      { name: 'tool', values: [0, 100, 50] },
      { name: 'chat', values: [0, 300, 0] },
    ]),
  )
  expect(drawn).toEqual([
    { x: 215.83, y: 120, height: 40, fill: 1 },
    { x: 431.65, y: 140, height: 20, fill: 1 },
    { x: 215.83, y: 0, height: 120, fill: 2 },
  ])
})

test('the numbers are also a table, without days without spend', () => {
  const series = [{ name: 'tool', values: [0, 1234, 5] }]
  const html = renderToStaticMarkup(
    <ChartNumbers buckets={days} unit="day" series={series} label="Credits per day" timeZone="Asia/Tokyo" />,
  )
  expect(html).toContain('Day (Asia/Tokyo)')
  expect(html).toContain('2026-11-20')
  expect(html).not.toContain('>2026-11-19<')
  expect(html).toContain('<td>1\u202f234</td>')
})

test('without any spend no bar is drawn', () => {
  expect(bars(draw([]))).toEqual([])
  expect(bars(draw([{ name: 'tool', values: [0, 0, 0] }]))).toEqual([])
})

test('hours, weeks and months are named by their begin', () => {
  expect(formatBucket('2026-11-21T14:00', 'hour')).toBe('21 Nov, 14:00')
  expect(formatBucket('2026-11-21T00:00', 'week')).toBe('Week from 21 Nov')
  expect(formatBucket('2026-11-01T00:00', 'month')).toBe('Nov 2026')
})
