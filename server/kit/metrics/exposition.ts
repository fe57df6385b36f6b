import { metricsText } from '../sibling-metrics'
import { processRegistry, serviceRegistry } from './registry'

const refreshers: (() => Promise<void>)[] = []

/** Has `refresh`, which must not throw, set the service's gauges before each reading. */
export function refreshBeforeReading(refresh: () => Promise<void>): void {
  refreshers.push(refresh)
}

/** All metrics of this process, its siblings and the service in Prometheus' text format. */
export async function writeMetrics(): Promise<{ text: string; contentType: string }> {
  await Promise.all(refreshers.map((refresh) => refresh()))
  const text = `${await metricsText(processRegistry)}\n${await serviceRegistry.metrics()}`
  return { text, contentType: processRegistry.contentType }
}
