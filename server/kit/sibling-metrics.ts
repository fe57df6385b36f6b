import type { Registry } from 'prom-client'
import { answerSiblings, askSiblings, siblingSlot } from './siblings'

const TOPIC = 'metrics'

/**
 * Prepares the registry of a process that is one of several, once it knows its number: each of its
 * series gets the label `process`, and siblings that are scraped show them. They are not summed:
 * the sum would drop when one process is started again, which rates take for a reset of all.
 */
export function shareMetrics(registry: Registry): void {
  const slot = siblingSlot()
  if (slot === null) return
  registry.setDefaultLabels({ process: String(slot) })
  answerSiblings(TOPIC, () => registry.metrics())
}

/** The metrics of this process and its siblings as Prometheus text. */
export async function metricsText(registry: Registry): Promise<string> {
  if (siblingSlot() === null) return registry.metrics()
  return mergeMetrics(await askSiblings(TOPIC))
}

/**
 * Puts the texts of several processes together, the samples of one metric side by side, as the
 * format wants them. `tollgate_process_up` says who answered.
 */
export function mergeMetrics(texts: ReadonlyMap<number, string | null>): string {
  const samples = new Map<string, string[]>()
  for (const text of texts.values()) addSamples(text ?? '', samples)
  const up = '# HELP tollgate_process_up Whether the process answered\n# TYPE tollgate_process_up gauge'
  const isUp = [...texts].map(([slot, text]) => `tollgate_process_up{process="${slot}"} ${text === null ? 0 : 1}`)
  samples.set(up, isUp)
  return `${[...samples].map(([head, lines]) => [head, ...lines].join('\n')).join('\n\n')}\n`
}

function addSamples(text: string, samples: Map<string, string[]>): void {
  let head = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('# HELP')) head = line
    else if (line.startsWith('#')) head = `${head}\n${line}`
    else if (line !== '') samples.set(head, [...(samples.get(head) ?? []), line])
  }
}
