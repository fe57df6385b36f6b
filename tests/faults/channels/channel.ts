import type { Call } from '../call'

/** Where a channel's calls go, and when they end. */
export type Traffic = {
  /** Base URLs of the web processes; callers are spread over them. */
  webs: readonly string[]
  key: string
  /** True once no new call is to begin. */
  isOver: () => boolean
}

/** What the clients of a channel saw, besides single calls: agent runs have a spend of their own. */
export type Run = { jobId: string; status: string; spent: number; steps: number; finishedAt: number }

export type Seen = { calls: Call[]; runs: Run[]; problems: string[] }

/** One way to use the product. `send` keeps calls in flight until the traffic is over, and records each in `seen`. */
export type Channel = {
  name: string
  /** Least credits a delivered call costs: one that cost less was given away. */
  minPrice: number
  send: (traffic: Traffic, seen: Seen) => Promise<void>
}
