import type { Model, Upstream } from '../shape'
import { abilitiesAt } from './of-upstream'
import type { Abilities } from './shape'

/** Output tokens that APIs ask for at least. */
const MIN_OUTPUT: Partial<Record<Upstream['api'], number>> = { responses: 16 }

type OutputLimits = { maxOutput: number; limits: Abilities['limits']; wire: Upstream['api'] }

const minOutput = ({ limits, wire }: Pick<OutputLimits, 'limits' | 'wire'>): number =>
  limits.minOutput ?? MIN_OUTPUT[wire] ?? 1

/** A caller's limit as a model takes it at an upstream of a wire. */
export function fitOutput(limit: number, { maxOutput, ...at }: OutputLimits): number {
  const min = minOutput(at)
  return Math.max(min, Math.min(limit, maxOutput))
}

/** The most output that a caller's limit can become at any of a model's upstreams. */
export function fitOutputOf(model: Model, limit: number): number {
  const mins = model.upstreams.map((upstream) =>
    minOutput({ limits: abilitiesAt(model, upstream).limits, wire: upstream.api }),
  )
  return Math.max(...mins, Math.min(limit, model.maxOutput))
}
