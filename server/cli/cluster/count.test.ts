import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { processCount, processesOfHost } from './count'

const GIB = 2 ** 30

describe('the number of processes', () => {
  it('is that of the cores, as far as the memory goes, and at least one', () => {
    expect(processesOfHost({ cores: 8, memoryBytes: 16 * GIB })).toBe(8)
    expect(processesOfHost({ cores: 64, memoryBytes: 2 * GIB })).toBe(4)
    expect(processesOfHost({ cores: 2, memoryBytes: 0.25 * GIB })).toBe(1)
    expect(processesOfHost()).toBeLessThanOrEqual(availableParallelism())
  })

  it('is what the setting of its command says', () => {
    const settings = { WEB_CONCURRENCY: 3, WORKER_CONCURRENCY: 5 }
    expect([processCount('web', settings), processCount('worker', settings), processCount('admin', settings)]).toEqual([
      3, 5, 1,
    ])
  })
})
