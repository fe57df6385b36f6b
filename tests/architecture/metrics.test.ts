import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type DeclaredMetric, declaredMetrics, defaultMetrics, groupingsIn, metricsIn } from '../support/metric-names'
import { SOURCE_ROOT } from '../support/source-imports'

const read = (file: string) => readFileSync(path.join(SOURCE_ROOT, file), 'utf8')
const guide = read('docs/guides/monitoring.md')
const alerts = read('deploy/prometheus/alerts.yml')

/** Labels that Prometheus adds, and that processes which share a port have. */
const ADDED = ['instance', 'job', 'process']

type Panel = { id: number; type: string; title: string; gridPos: object; targets?: { expr: string; refId: string }[] }
const dashboard = JSON.parse(read('deploy/grafana/tollgate.json')) as {
  uid: string
  title: string
  schemaVersion: number
  panels: Panel[]
  templating: { list: { name: string; type: string }[] }
}

/** A series' metric: a histogram has three. */
const metricOf = (name: string, known: readonly DeclaredMetric[]): DeclaredMetric | undefined =>
  known.find((metric) =>
    metric.type === 'histogram'
      ? ['_bucket', '_sum', '_count'].some((end) => name === metric.name + end)
      : name === metric.name,
  )

/** What a query asks for that no process reports. */
function unknownIn(query: string): string[] {
  const known = [...declaredMetrics(), ...defaultMetrics()]
  const used = metricsIn(query).map(({ name, labels }) => ({ name, labels, metric: metricOf(name, known) }))
  const labelsOf = (metric: DeclaredMetric | undefined) => [...ADDED, 'le', ...(metric?.labels ?? [])]
  const all = used.flatMap(({ metric }) => labelsOf(metric))
  return [
    ...used.filter(({ metric }) => !metric).map(({ name }) => name),
    ...used.flatMap(({ name, labels, metric }) =>
      labels.filter((label) => !labelsOf(metric).includes(label)).map((label) => `${name}{${label}}`),
    ),
    ...groupingsIn(query).filter((label) => label !== '' && !all.includes(label)),
  ]
}

const alertBlocks = alerts
  .split('- alert: ')
  .slice(1)
  .map((text) => ({ name: text.split('\n', 1)[0] ?? '', text }))

describe('every metric', () => {
  test('is named after the product, says what it is, and counters end in _total', () => {
    for (const { name, type, help } of declaredMetrics()) {
      expect(name).toMatch(/^tollgate_[a-z_]+$/)
      expect(help, name).not.toBe('')
      expect(name.endsWith('_total'), name).toBe(type === 'counter')
    }
  })

  test('is in the table of the guide, as it was declared, and nothing else is', () => {
    const cell = (labels: readonly string[]) => labels.map((label) => `\`${label}\``).join(', ')
    const rows = declaredMetrics().map(
      ({ name, type, labels, help }) => `| \`${name}\` | ${type} | ${cell(labels)} | ${help} |`,
    )
    expect(guide.split('\n').filter((line) => line.startsWith('| `tollgate_'))).toEqual(rows)
  })
})

describe('alerts', () => {
  test('ask for what processes report', () => {
    for (const { name, text } of alertBlocks) expect(unknownIn(text), name).toEqual([])
    expect(unknownIn(alerts.split('- alert: ', 1)[0] ?? '')).toEqual([])
  })

  test('ask for recorded rules that exist', () => {
    const recorded = [...alerts.matchAll(/- record: (\S+)/g)].map(([, name]) => name)
    const asked = [...alerts.matchAll(/(tollgate:[a-z0-9_:]+)/g)].map(([, name]) => name)
    expect(asked.filter((name) => !recorded.includes(name))).toEqual([])
  })

  test('have a severity, a summary and a runbook in the guide, and the guide has no other', () => {
    for (const { name, text } of alertBlocks) {
      expect(text, name).toMatch(/severity: (page|ticket) /)
      expect(text, name).toContain('summary: ')
      expect(text, name).toContain(`runbook_url: /docs/monitoring#${name.toLowerCase()}`)
    }
    const runbooks = guide.split('\n').flatMap((line) => (line.startsWith('### Tollgate') ? line.slice(4) : []))
    expect(runbooks).toEqual(alertBlocks.map(({ name }) => name))
  })

  test('are in the tests of the rules where somebody has to get up', () => {
    const tested = read('deploy/prometheus/alerts.test.yml')
    const untested = ['TollgateNoWeb', 'TollgateRestarts', 'TollgateSweepStopped']
    const pages = alertBlocks.filter(({ text }) => text.includes('severity: page')).map(({ name }) => name)
    expect(pages.filter((name) => !tested.includes(`alertname: ${name}`))).toEqual(untested)
  })
})

describe('the dashboard', () => {
  const { panels } = dashboard

  test('is one that Grafana takes: ids, places, a data source to choose', () => {
    expect(dashboard).toMatchObject({ uid: 'tollgate', title: 'Tollgate', schemaVersion: expect.any(Number) })
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const place = { h: expect.any(Number), w: expect.any(Number), x: expect.any(Number), y: expect.any(Number) }
    for (const { title, gridPos } of panels) expect(gridPos, title).toEqual(place)
    expect(dashboard.templating.list).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource' }),
    )
  })

  test('asks in every panel for what processes report', () => {
    for (const { title, type, targets = [] } of panels) {
      if (type === 'row') continue
      expect(targets.length, title).toBeGreaterThan(0)
      for (const { expr } of targets) expect(unknownIn(expr), `${title}: ${expr}`).toEqual([])
    }
  })

  test('shows every metric', () => {
    const known = declaredMetrics()
    const shown = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr)))
    const names = new Set(shown.map(({ name }) => metricOf(name, known)?.name))
    expect(known.filter(({ name }) => !names.has(name)).map(({ name }) => name)).toEqual([])
  })
})
