import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { expect, test, vi } from 'vitest'
import { log } from '../../kit/log'
import { logOutages } from './exporter'

test('an outage of the collector is a log line when it begins and one when it ends, without the URL', () => {
  const warn = vi.spyOn(log, 'warn').mockReturnValue()
  const info = vi.spyOn(log, 'info').mockReturnValue()
  let code = 1
  const inner: SpanExporter = {
    export: (_spans, done) => done({ code, error: new Error('connect ECONNREFUSED') }),
    shutdown: async () => {},
  }
  const exporter = logOutages(inner, 'http://collector.example:4318/v1/traces?token=abc')
  const results: number[] = []
  const send = (times: number) => {
    for (let i = 0; i < times; i++) exporter.export([], (result) => results.push(result.code))
  }
  send(3)
  expect(warn.mock.calls).toEqual([
    [
      { host: 'collector.example:4318', err: 'connect ECONNREFUSED' },
      'traces cannot be exported: spans are dropped meanwhile',
    ],
  ])
  code = 0
  send(2)
  expect(info).toHaveBeenCalledTimes(1)
  expect(results).toEqual([0, 0, 0, 0, 0])
  warn.mockRestore()
  info.mockRestore()
})
