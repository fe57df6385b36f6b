import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { callDispatcher } from './call'

/** Knows which web processes want no further calls, as a load balancer in front of them does. */
export type Balancer = { isDraining: (web: string) => boolean; stop: () => Promise<void> }

const EVERY_MS = 200

/**
 * Asks each process's `/readyz` several times a second; only `draining` keeps calls away, so that
 * outages are met, until the process's successor answers.
 */
export function startBalancer(webs: readonly string[]): Balancer {
  const draining = new Set<string>()
  let isOver = false
  const watch = async (web: string) => {
    for (; !isOver; await sleep(EVERY_MS)) {
      const isDraining = await answerOf(web).then(
        (text) => text.includes('"draining"'),
        () => draining.has(web),
      )
      if (isDraining) draining.add(web)
      else draining.delete(web)
    }
  }
  const watching = Promise.all(webs.map(watch))
  return {
    isDraining: (web) => draining.has(web),
    stop: async () => {
      isOver = true
      await watching
    },
  }
}

async function answerOf(web: string): Promise<string> {
  const { body } = await request(`${web}/readyz`, { dispatcher: callDispatcher, signal: AbortSignal.timeout(5_000) })
  return body.text()
}
