import { setTimeout as sleep } from 'node:timers/promises'
import { type Draw, drawFrom } from '../../server/sandbox/kit/seed'
import { clusterParts, type Part, type PartAct } from './acts'
import type { Cluster } from './cluster'
import type { Fault } from './faults'
import { startAgain } from './npm-process'
import { restoredFault } from './restored'

/** Bounds of how long each kind lasts, milliseconds. */
export type RandomDurations = { min: number; max: number }

const SHORT: RandomDurations = { min: 300, max: 6_000 }
/** Longer than a lease, so that holds are swept while their process is alone. */
const LONG: RandomDurations = { min: 46_000, max: 65_000 }
/** Of the rounds whose faults are long: most faults need no minute to be met. */
const LONG_SHARE = 0.06
/** Of the rounds in which a backup is restored, which is all that happens in them. */
const RESTORED_SHARE = 0.08
/** The latest that a fault begins after the first one, milliseconds. */
const MAX_DELAY_MS = 3_000
const MAX_AT_ONCE = 3

type Drawn = { part: Part; act: PartAct; afterMs: number; lastsMs: number }

/** Short ones are as likely as long ones. */
const drawDuration = (draw: Draw, name: string, { min, max }: RandomDurations): number =>
  Math.round(min * (max / min) ** draw.chance(name))

/** What a seed says: one to three parts, and what happens to each, when and how long. */
function drawActs(draw: Draw, parts: readonly Part[], durations?: RandomDurations): Drawn[] {
  const bounds = durations ?? (draw.chance('is long') < LONG_SHARE ? LONG : SHORT)
  const many = draw.int('how many', 1, MAX_AT_ONCE)
  return draw
    .shuffle('parts', parts)
    .slice(0, many)
    .map((part, i) => ({
      part,
      act: draw.pick(`act ${i}`, part.acts),
      afterMs: i === 0 ? 0 : draw.int(`after ${i}`, 0, MAX_DELAY_MS),
      lastsMs: drawDuration(draw, `lasts ${i}`, bounds),
    }))
}

const inSeconds = (ms: number) => (ms / 1_000).toFixed(1)

const describe = ({ part, act, afterMs, lastsMs }: Drawn): string =>
  `${part.name} ${act.name} ${inSeconds(lastsMs)} s${afterMs > 0 ? ` from ${inSeconds(afterMs)} s` : ''}`

/**
 * Faults drawn from a seed, which always draws the same: some at once, each in one process, on its
 * way to the database, or in the database; or a backup that is restored.
 */
export function randomFault(seed: number, cluster: Cluster, durations?: RandomDurations): Fault {
  const draw = drawFrom(`faults ${seed}`)
  if (draw.chance('is restored') < RESTORED_SHARE) {
    const afterMs = drawDuration(draw, 'restored after', durations ?? SHORT)
    return restoredFault(`seed ${seed}: a backup restored ${inSeconds(afterMs)} s after it was made`, afterMs)
  }
  const drawn = drawActs(draw, clusterParts(cluster), durations)
  return {
    name: `seed ${seed}: ${drawn.map(describe).join(', ')}`,
    // Of what several parts suffer at once nobody is left alone.
    part: 'database',
    mayCut: drawn.some(({ part, act }) => part.isWeb && act.kills),
    isFrozen: drawn.some(({ part, act }) => part.isWeb && act.name === 'frozen'),
    unavailable: () => null,
    happen: async () => {
      await Promise.all(
        drawn.map(async ({ act, afterMs, lastsMs }) => {
          await sleep(afterMs)
          await act.happen(lastsMs)
        }),
      )
      // Last, as one that finds no database does not start.
      const ended = drawn.filter(({ act }) => act.kills !== undefined)
      await Promise.all(ended.map(({ part }) => part.target && startAgain(part.target)))
    },
  }
}
