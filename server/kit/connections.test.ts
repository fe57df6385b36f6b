import { describe, expect, it } from 'vitest'
import { connectionName, connectionsOfEach, MIN_CONNECTIONS, setProcessKind, shareConnections } from './connections'

describe('the connections of a process', () => {
  it('are divided by what they are for, and not one more than it was given', () => {
    expect(shareConnections(undefined, 'web')).toEqual({ main: 10, hot: 8, reads: 4, queue: 1 })
    expect(shareConnections(undefined, 'worker')).toEqual({ main: 10, hot: 8, reads: 4, queue: 4 })
    for (let total = MIN_CONNECTIONS; total <= 200; total++) {
      for (const kind of ['web', 'worker'] as const) {
        const { main, hot, reads, queue } = shareConnections(total, kind)
        const watchdogAndListener = kind === 'worker' ? 3 : 1
        expect(main + hot + reads + queue + watchdogAndListener).toBe(total)
        expect(Math.min(main, hot)).toBeGreaterThanOrEqual(2)
      }
    }
  })

  it('are fewer for each of many processes', () => {
    expect([1, 2, 3, 8].map(connectionsOfEach)).toEqual([40, 20, 13, 12])
  })

  it('name the kind of their process and its pid', () => {
    setProcessKind('web')
    expect(connectionName('hot')).toBe(`tollgate web ${process.pid} hot`)
  })
})
