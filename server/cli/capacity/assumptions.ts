/**
 * What a capacity plan takes from elsewhere: it does not measure these on this machine. `source`
 * names a section of tests/bench/RESULTS.md, or says that it is a choice.
 */
export const ASSUMPTIONS = {
  webCpuUs: {
    value: 280,
    unit: 'µs',
    what: 'CPU of a web process for a call, beside the ledger',
    source: 'A billed call over HTTP',
  },
  workerCpuUs: { value: 700, unit: 'µs', what: 'CPU of a worker for a step', source: 'Agent runs' },
  stepDatabaseCpuUs: { value: 610, unit: 'µs', what: 'CPU of PostgreSQL for a step', source: 'Agent runs' },
  webMiB: { value: 550, unit: 'MiB', what: 'memory of a web process', source: 'Half of full speed for an hour' },
  workerMiB: { value: 440, unit: 'MiB', what: 'memory of a worker', source: 'Half of full speed for an hour' },
  streamKiB: { value: 31, unit: 'KiB', what: 'memory of a request in progress', source: '5,000 idle event streams' },
  requestS: { value: 10, unit: 's', what: 'a request lasts', source: 'a choice' },
  stepS: { value: 5, unit: 's', what: 'an agent takes for a step', source: 'a choice' },
  stepBytes: { value: 4_096, unit: 'bytes', what: 'content of a step, which WAL holds twice', source: 'a choice' },
  connectionMiB: { value: 10, unit: 'MiB', what: 'memory of a connection in PostgreSQL', source: 'a choice' },
  busy: { value: 50, unit: '%', what: 'of a core is used, the rest is for peaks', source: 'a choice' },
} as const

/** Their lines for the operator. */
export const assumptionLines = (): string[] =>
  Object.values(ASSUMPTIONS).map(({ value, unit, what, source }) => `  ${what}: ${value} ${unit} (${source})`)
