import { afterAll, beforeAll, expect } from 'vitest'
import { env } from '../../server/env'
import { send } from './api'

const TOKEN = 'a-token-for-metrics'

/** Turns `/metrics` on for a test file. */
export function withMetrics(): void {
  beforeAll(() => {
    Object.assign(env(), { METRICS_TOKEN: TOKEN })
  })
  afterAll(() => {
    Object.assign(env(), { METRICS_TOKEN: undefined })
  })
}

/** The header that opens `/metrics`. */
export const METRICS_HEADER = { authorization: `Bearer ${TOKEN}` }

/** What was read: the sum of the series of a name that have these labels, 0 without any. */
export type MetricsReading = {
  text: string
  sum: (name: string, labels?: Record<string, string>) => number
  has: (name: string, labels?: Record<string, string>) => boolean
}

/** Prometheus' text, as far as tests read it. */
export function parseMetrics(text: string): MetricsReading {
  const series = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ line, value: Number(line.slice(line.lastIndexOf(' ') + 1)) }))
  const named = (name: string, labels: Record<string, string> = {}) =>
    series.filter(
      ({ line }) =>
        (line.startsWith(`${name} `) || line.startsWith(`${name}{`)) &&
        Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)),
    )
  return {
    text,
    sum: (name, labels) => named(name, labels).reduce((sum, { value }) => sum + value, 0),
    has: (name, labels) => named(name, labels).length > 0,
  }
}

/** Reads the metrics of the test's listener. */
export async function readMetrics(): Promise<MetricsReading> {
  const answer = await send('/metrics', { headers: METRICS_HEADER })
  expect(answer.status).toBe(200)
  return parseMetrics(answer.text)
}
