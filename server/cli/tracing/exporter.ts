import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { log } from '../../kit/log'

/**
 * An exporter whose failures are a log line when they begin and one when they end. The spans of a
 * failed export are dropped.
 */
export function logOutages(exporter: SpanExporter, url: string): SpanExporter {
  const { host } = new URL(url)
  let isDown = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== 0
        if (hasFailed && !isDown) {
          log.warn({ host, err: result.error?.message }, 'traces cannot be exported: spans are dropped meanwhile')
        }
        if (!hasFailed && isDown) log.info({ host }, 'traces are exported again')
        isDown = hasFailed
        // The processor would report it once more.
        done({ code: 0 })
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}
