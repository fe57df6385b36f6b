import type { ClientCall } from '../call'

/** Where a channel's calls go, and when they end. */
export type Traffic = {
  /** Base URLs of the web processes; callers are spread over them. */
  webs: readonly string[]
  key: string
  /** True while a web process is about to stop: a load balancer would send it no new call. */
  isDraining: (web: string) => boolean
  /** True once no new call is to begin. */
  isOver: () => boolean
}

/** An agent run: what its job says it spent, and what its steps add up to. */
export type ClientRun = {
  jobId: string
  status: string
  spent: number
  steps: number
  startedAt: number
  finishedAt: number
}

/**
 * What the clients of a channel saw. `unbilled` are calls that cost nothing by themselves: those
 * that start runs. `unknown` are calls of which clients do not know the outcome when the traffic is
 * over: each asks for it until it does, once no hold is left.
 */
export type ClientRecord = {
  calls: ClientCall[]
  unbilled: ClientCall[]
  runs: ClientRun[]
  unknown: (() => Promise<ClientCall[]>)[]
  problems: string[]
}

/**
 * One way to use the product. `send` keeps calls in flight until the traffic is over, and records
 * each in `seen`.
 */
export type FaultChannel = {
  name: string
  /** Least credits a delivered call costs: one that cost less was given away. */
  minPrice: number
  /** True where agent runs belong to the traffic. */
  hasRuns: boolean
  send: (traffic: Traffic, seen: ClientRecord) => Promise<void>
}
