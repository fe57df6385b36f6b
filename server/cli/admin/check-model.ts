import { secretFromEnv } from '../../env'
import { AppError } from '../../errors'
import type { TokenUsage } from '../../models/completion'
import { callEmbeddings } from '../../models/embeddings/call'
import { readEmbeddingsRequest } from '../../models/embeddings/request'
import { usdForTokens } from '../../models/prices'
import { modelFromEntry } from '../../models/registry'
import type { ModelEntry, Upstream } from '../../models/shape'
import { callModel } from '../../models/upstream/call'
import { chatModelRequest } from '../../models/wires/chat/request'
import { type AbilityProbe, probeAbilities } from './probe-abilities'

/** What came of one small call at one upstream. */
export type UpstreamCheck = {
  id: string
  baseUrl: string
  api: Upstream['api']
  /** `skipped`: a call costs an image or a video. */
  outcome: 'ok' | 'failed' | 'skipped'
  /** What is wrong, or how it went, in words. */
  text: string
  /** What the model refused of what requests may ask, where that was probed. */
  abilities?: AbilityProbe
  /** What the calls cost by the registry's prices, USD. */
  usd: number
}

/** Longest check of one upstream, milliseconds. */
const TIMEOUT_MS = 60_000
/** Enough for a word of models that think first. */
const MAX_OUTPUT = 256

type CheckOptions = { probes?: boolean }

/**
 * Makes one small call at every upstream of a model, with `probes` six more at each that chats.
 * Nobody is charged: the operator pays.
 */
export const checkModel = (entry: ModelEntry, options: CheckOptions = {}): Promise<UpstreamCheck[]> =>
  Promise.all(entry.upstreams.map((upstream) => checkUpstream(entry, upstream, options)))

async function checkUpstream(entry: ModelEntry, upstream: Upstream, { probes }: CheckOptions): Promise<UpstreamCheck> {
  const { id, kind } = entry
  const report = (outcome: UpstreamCheck['outcome'], text: string, usd = 0): UpstreamCheck => {
    return { id, baseUrl: upstream.baseUrl, api: upstream.api, outcome, text, usd }
  }
  const { apiKeyEnv } = upstream
  if (apiKeyEnv !== null && secretFromEnv(apiKeyEnv) === undefined) return report('failed', `${apiKeyEnv} is not set`)
  if (kind === 'image' || kind === 'video')
    return report('skipped', `a call would cost ${kind === 'image' ? 'an' : 'a'} ${kind}`)
  try {
    const usage = await callOnce({ ...entry, upstreams: [upstream] })
    if (!usage) return report('ok', 'answers, without saying how many tokens it used')
    const usd = usdForTokens(usage, entry)
    const text = `answers: ${usage.inputTokens} + ${usage.outputTokens} tokens`
    if (!probes || kind !== 'chat') return report('ok', text, usd)
    const abilities = await probeAbilities(entry, upstream)
    return { ...report('ok', `${text}; ${textOf(abilities)}`, usd + abilities.usd), abilities }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return report('failed', error.cause instanceof Error ? error.cause.message : error.message)
  }
}

const textOf = ({ refused, entry }: AbilityProbe): string =>
  refused.length === 0
    ? 'takes all that was asked'
    : `refuses ${refused.map(({ ability }) => ability).join(', ')}: ${JSON.stringify(entry)} in its entry`

/** The tokens that one small call took; null where the upstream does not say. */
async function callOnce(entry: ModelEntry): Promise<TokenUsage | null> {
  const model = modelFromEntry(entry)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  if (entry.kind === 'embedding')
    return (await callEmbeddings(model, readEmbeddingsRequest({ model: entry.id, input: ['toll'] }), { signal })).usage
  const request = chatModelRequest({ messages: [{ role: 'user', content: 'Answer with the word "ok".' }] })
  const outputTokens = Math.min(MAX_OUTPUT, entry.maxOutput)
  const answer = await callModel(model, { ...request, outputTokens }, { signal })
  return answer.kind === 'json' ? answer.facts.usage : null
}
