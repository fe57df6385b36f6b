import { expect, it } from 'vitest'
import { mergeMetrics } from './sibling-metrics'

const textOf = (slot: number, calls: number) => `# HELP calls Calls
# TYPE calls counter
calls{process="${slot}",status="200"} ${calls}

# HELP lag_seconds Lag
# TYPE lag_seconds gauge
lag_seconds{process="${slot}"} 0
`

it('puts the samples of one metric side by side, and says which process did not answer', () => {
  const texts = new Map([
    [1, textOf(1, 5)],
    [2, null],
    [3, textOf(3, 7)],
  ])
  expect(mergeMetrics(texts)).toBe(`# HELP calls Calls
# TYPE calls counter
calls{process="1",status="200"} 5
calls{process="3",status="200"} 7

# HELP lag_seconds Lag
# TYPE lag_seconds gauge
lag_seconds{process="1"} 0
lag_seconds{process="3"} 0

# HELP tollgate_process_up Whether the process answered
# TYPE tollgate_process_up gauge
tollgate_process_up{process="1"} 1
tollgate_process_up{process="2"} 0
tollgate_process_up{process="3"} 1
`)
})
