import type pg from 'pg'
import { gauge } from './registry'

const pools = new Map<string, pg.Pool>()

gauge('tollgate_pool_connections', 'Connections of a pool in use and idle, and callers that wait for one', {
  labelNames: ['pool', 'state'],
  collect: (connections) => {
    connections.reset()
    for (const [name, { totalCount, idleCount, waitingCount }] of pools) {
      connections.labels(name, 'in_use').set(totalCount - idleCount)
      connections.labels(name, 'idle').set(idleCount)
      connections.labels(name, 'waiting').set(waitingCount)
    }
  },
})

gauge('tollgate_pool_connections_max', 'Connections that a pool may have', {
  labelNames: ['pool'],
  collect: (limits) => {
    for (const [name, { options }] of pools) limits.labels(name).set(options.max)
  },
})

/** Measures a pool; one of the same name takes its place. Returns it. */
export function measurePool(name: string, pool: pg.Pool): pg.Pool {
  pools.set(name, pool)
  return pool
}
