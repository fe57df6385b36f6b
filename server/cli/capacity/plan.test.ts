import { expect, test } from 'vitest'
import { planCapacity } from './plan'

const COST = { ledgerCpuUs: 70, databaseCpuUs: 150, diskBytes: 700, walBytes: 2_000 }
const LIMITS = { connectionsOfEach: undefined, sharedBuffersMiB: 128 }

const plan = (rps: number, agents: number) => planCapacity({ rps, agents }, COST, LIMITS)

test('processes follow from CPU at half of a core, and workers from their 48 runs', () => {
  expect(plan(2_000, 200)).toMatchObject({
    web: { processes: 2, busyCores: 0.7 },
    worker: { processes: 5, memoryMiB: 2_200 },
    postgres: { cores: 1, busyCores: 0.32 },
  })
  expect(plan(20_000, 0)).toMatchObject({ web: { processes: 14 }, worker: { processes: 0 }, postgres: { cores: 6 } })
})

test('disk and WAL grow with calls, and with the content of steps', () => {
  expect(plan(100, 0)).toMatchObject({ disk: { aDay: 100 * 700 * 86_400 }, walADay: 100 * 2_000 * 86_400 })
  const { disk, walADay } = plan(100, 50)
  expect(disk.aDay).toBe((110 * 700 + 10 * 4_096) * 86_400)
  expect(walADay).toBe((110 * 2_000 + 2 * 10 * 4_096) * 86_400)
})

test('connections are those of all processes, one more of each while they are replaced, and 13', () => {
  expect(plan(10, 10).postgres).toMatchObject({ connections: 53, maxConnections: 53 + 53 + 13, memoryMiB: 658 })
  expect(plan(2_000, 200).postgres).toMatchObject({ connections: 2 * 20 + 5 * 12 })
  const given = planCapacity({ rps: 10, agents: 0 }, COST, { ...LIMITS, connectionsOfEach: 30 })
  expect(given.postgres).toMatchObject({ connections: 30, maxConnections: 73 })
})
