import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What this process measures. Metrics are declared beside what they measure. */
export const processRegistry = new Registry()

/** What is read from what processes share: each of them would report the same. */
export const serviceRegistry = new Registry()

/** From a millisecond to five minutes, the longest call. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** The metrics of names and labels that are known beforehand: a label's values must be bounded. */
export const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> =>
  new Counter({ name, help, labelNames, registers: [processRegistry] })

/** `collect` sets the value when it is read. */
export const gauge = <L extends string>(
  name: string,
  help: string,
  options: { labelNames?: readonly L[]; collect?: (gauge: Gauge<L>) => void | Promise<void> } = {},
): Gauge<L> => makeGauge(processRegistry, { name, help, ...options })

/** The same for a value that every process would report alike. */
export const serviceGauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> =>
  makeGauge(serviceRegistry, { name, help, labelNames })

export const histogram = <L extends string>(
  name: string,
  help: string,
  { labelNames = [], buckets = CALL_SECONDS }: { labelNames?: readonly L[]; buckets?: number[] } = {},
): Histogram<L> => new Histogram({ name, help, labelNames, buckets, registers: [processRegistry] })

type GaugeOptions<L extends string> = {
  name: string
  help: string
  labelNames?: readonly L[]
  collect?: (gauge: Gauge<L>) => void | Promise<void>
}

const makeGauge = <L extends string>(
  registry: Registry,
  { name, help, labelNames = [], collect }: GaugeOptions<L>,
): Gauge<L> =>
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    ...(collect && {
      collect() {
        return collect(this)
      },
    }),
  })
