import { boundChildren } from '../kit/metrics/bound-children'
import { counter } from '../kit/metrics/registry'

const entries = boundChildren(
  counter(
    'tollgate_request_log_entries_total',
    'Calls of owners who keep a request log: stored, or dropped because the database did not take them in time',
    ['outcome'],
  ),
)

/** Counts calls for the request log. */
export const countLogEntries = (outcome: 'stored' | 'dropped', entriesCount: number): void =>
  entries(outcome).inc(entriesCount)
