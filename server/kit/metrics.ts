import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { lazy } from './lazy'

/** The process's Prometheus metrics. */
export const metrics = lazy(() => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    requests: new Counter({
      name: 'tollgate_requests_total',
      help: 'Requests by door and status',
      labelNames: ['door', 'status'],
      registers,
    }),
    seconds: new Histogram({
      name: 'tollgate_request_seconds',
      help: 'Time to the first byte of the answer',
      labelNames: ['door'],
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100],
      registers,
    }),
    charged: new Counter({ name: 'tollgate_credits_charged_total', help: 'Credits charged', registers }),
    lost: new Counter({
      name: 'tollgate_credits_lost_total',
      help: 'Credits calls cost beyond their charge, borne by the operator',
      registers,
    }),
    swept: new Counter({ name: 'tollgate_holds_swept_total', help: 'Holds of dead processes voided', registers }),
    oldHolds: new Gauge({ name: 'tollgate_holds_old', help: 'Holds older than the longest call', registers }),
    unsettled: new Gauge({
      name: 'tollgate_settlements_waiting',
      help: 'Settlements that wait for the database',
      registers,
    }),
    deadSettlements: new Counter({
      name: 'tollgate_settlements_dead_total',
      help: 'Settlements the database refused for good',
      registers,
    }),
  }
})
