import { randomBytes } from 'node:crypto'
import type { Sampler } from '@opentelemetry/sdk-trace'

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export type SamplerSettings = {
  name: (typeof SAMPLERS)[number]
  /** Share of the traces that the samplers by ratio take. */
  ratio: number
  /** Whether the flag of a caller's `traceparent` decides, for the samplers that ask the parent. */
  trustsCallers: boolean
}

/**
 * The sampler of the settings. A span within this service always does as its parent. A caller's
 * flag, and its trace id, decide nothing unless callers are trusted: otherwise anybody could have
 * every request exported.
 */
export function makeSampler(sdk: typeof import('@opentelemetry/sdk-trace'), settings: SamplerSettings): Sampler {
  const root = rootSampler(sdk, settings)
  if (settings.trustsCallers && settings.name.startsWith('parentbased_')) return new sdk.ParentBasedSampler({ root })
  const byChance: Sampler = {
    shouldSample: (context, _traceId, ...rest) => root.shouldSample(context, randomBytes(16).toString('hex'), ...rest),
    toString: () => `ByChance{${root}}`,
  }
  return new sdk.ParentBasedSampler({ root, remoteParentSampled: byChance, remoteParentNotSampled: byChance })
}

function rootSampler(
  { AlwaysOnSampler, AlwaysOffSampler, TraceIdRatioBasedSampler }: typeof import('@opentelemetry/sdk-trace'),
  { name, ratio }: SamplerSettings,
): Sampler {
  if (name.endsWith('always_off')) return new AlwaysOffSampler()
  return name.endsWith('traceidratio') ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler()
}
