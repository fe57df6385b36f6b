import { collectDefaultMetrics, Registry } from 'prom-client'
// Whatever declares metrics for a web or worker process.
import '../../server/agent/queue/worker'
import '../../server/cli/kit/retention'
import '../../server/cli/web/http-server'
import { measureProcess } from '../../server/cli/kit/process-metrics'
import { processRegistry, serviceRegistry } from '../../server/kit/metrics/registry'
import '../../server/operators/service-gauges'

/** A metric as it was declared. */
export type DeclaredMetric = { name: string; type: string; labels: readonly string[]; help: string }

/** prom-client keeps them, and its types do not say so. */
type Declaration = { name: string; help: string; type: string; labelNames?: readonly string[] }

const declared = (registry: Registry): DeclaredMetric[] =>
  (registry.getMetricsAsArray() as unknown as Declaration[]).map(({ name, help, type, labelNames = [] }) => ({
    ...{ name, help, type },
    labels: labelNames,
  }))

/** Written by whoever puts the texts of several processes together. */
const PROCESS_UP: DeclaredMetric = {
  name: 'tollgate_process_up',
  type: 'gauge',
  labels: ['process'],
  help: 'Whether a process answered that shares its port with others',
}

measureProcess({ role: 'web', version: '0', commit: null, folder: '.' })

/** Every metric of web and worker processes, by name. */
export const declaredMetrics = (): DeclaredMetric[] =>
  [...[processRegistry, serviceRegistry].flatMap(declared), PROCESS_UP]
    .filter(({ name }) => name.startsWith('tollgate_'))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))

/** Those that prom-client adds about the process. */
export function defaultMetrics(): DeclaredMetric[] {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return declared(registry)
}

/** A metric in a query, with the labels that are compared. */
export type UsedMetric = { name: string; labels: string[] }

const SELECTOR = /\b((?:tollgate|process|nodejs)_[a-z0-9_]+)(?:\{([^}]*)\})?/g
const COMPARED = /([a-z_]+)\s*(?:=~|!~|!=|=)/g

/** The metrics of PromQL. */
export const metricsIn = (query: string): UsedMetric[] =>
  [...query.matchAll(SELECTOR)].map(([, name = '', compared = '']) => ({
    name,
    labels: [...compared.matchAll(COMPARED)].map(([, label = '']) => label),
  }))

/** The labels by which PromQL groups. */
export const groupingsIn = (query: string): string[] =>
  [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
