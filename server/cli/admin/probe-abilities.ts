import { AppError } from '../../errors'
import type { CompletionBody } from '../../models/completion'
import { usdForTokens } from '../../models/prices'
import { modelFromEntry } from '../../models/registry'
import type { ModelEntry, Upstream } from '../../models/shape'
import { EFFORTS } from '../../models/shape'
import { callModel } from '../../models/upstream/call'
import { chatModelRequest } from '../../models/wires/chat/request'

/** What a model refused of what requests may ask, as its entry in the models file says it. */
export type AbilityProbe = {
  refused: { ability: string; why: string }[]
  entry: Pick<ModelEntry, 'parameters' | 'efforts' | 'schemaDialect'>
  usd: number
}

const TIMEOUT_MS = 60_000
const MAX_OUTPUT = 256

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
const TOOL = {
  type: 'function',
  function: { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } },
}

/** One small request for each ability, and what an entry says of a model that refuses it. */
const PROBES: readonly { ability: string; body: CompletionBody; without: AbilityProbe['entry'] }[] = [
  { ability: 'temperature', body: { temperature: 0.3 }, without: { parameters: { temperature: false } } },
  { ability: 'top_p', body: { top_p: 0.9 }, without: { parameters: { top_p: false } } },
  { ability: 'stop', body: { stop: ['#####'] }, without: { parameters: { stop: false } } },
  { ability: 'tools', body: { tools: [TOOL] }, without: { parameters: { tools: false } } },
  { ability: 'reasoning_effort', body: { reasoning_effort: 'low' }, without: { efforts: [] } },
  {
    ability: 'response_format',
    body: { response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema: SCHEMA } } },
    without: { schemaDialect: 'none' },
  },
]

/** An entry as if its model took everything, so that each request reaches it as it is. */
const takesAll = (entry: ModelEntry, upstream: Upstream): ModelEntry => ({
  ...entry,
  upstreams: [upstream],
  parameters: Object.fromEntries(PROBES.map(({ ability }) => [ability, true])),
  efforts: [...EFFORTS],
  schemaDialect: 'any',
})

/**
 * Asks a chat model at one upstream for one ability after another. Nobody is charged: the operator
 * pays. Throws for any error but a refusal.
 */
export async function probeAbilities(entry: ModelEntry, upstream: Upstream): Promise<AbilityProbe> {
  const model = modelFromEntry(takesAll(entry, upstream))
  const found: AbilityProbe = { refused: [], entry: {}, usd: 0 }
  for (const { ability, body, without } of PROBES) {
    const request = chatModelRequest({
      messages: [{ role: 'user', content: 'Answer with the JSON {"a": "ok"}.' }],
      ...body,
    })
    const options = { signal: AbortSignal.timeout(TIMEOUT_MS) }
    try {
      const answer = await callModel(
        model,
        { ...request, outputTokens: Math.min(MAX_OUTPUT, entry.maxOutput) },
        options,
      )
      if (answer.kind === 'json' && answer.facts.usage) found.usd += usdForTokens(answer.facts.usage, entry)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error
      found.refused.push({ ability, why: error.message })
      const { parameters, ...other } = without
      Object.assign(found.entry, other, parameters && { parameters: { ...found.entry.parameters, ...parameters } })
    }
  }
  return found
}
