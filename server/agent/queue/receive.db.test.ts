import { setTimeout as sleep } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pollUntil } from '../../../tests/support/poll-until'
import { mainPool } from '../../db'
import { openQueue } from './connection'
import { receiveMessages } from './receive'
import { RUN_QUEUE } from './setup'

const askingEvery = (s: number) => ({ batchSize: 1, pollingIntervalSeconds: s, notifyPollingIntervalSeconds: s })
const OPTIONS = askingEvery(1)

let boss: PgBoss
let stopping: AbortController

beforeEach(async () => {
  boss = await openQueue({ isWorker: true })
  stopping = new AbortController()
})
afterEach(async () => {
  stopping.abort()
  await boss.stop({ graceful: true, timeout: 10_000 })
})

const send = (count: number) => Promise.all(Array.from({ length: count }, (_, n) => boss.send(RUN_QUEUE, { n })))

const isAllCompleted = async (): Promise<boolean> => {
  const { rows } = await mainPool().query(
    `SELECT count(*)::int AS n FROM pgboss.job WHERE name = $1 AND state <> 'completed'`,
    [RUN_QUEUE],
  )
  return rows[0].n === 0
}

test('messages that wait are handled one after another, at most so many at once, and each once', async () => {
  const handled: number[] = []
  const gate = Promise.withResolvers<void>()
  let now = 0
  let highest = 0
  await send(30)
  const handle = async ({ n }: { n: number }) => {
    highest = Math.max(highest, ++now)
    if (now === 6) gate.resolve()
    await gate.promise
    await sleep(5)
    handled.push(n)
    now--
  }
  // Whoever paused after a message would do so for longer than this test may take.
  const options = askingEvery(600)
  receiveMessages<{ n: number }>(boss, RUN_QUEUE, { max: 6, options, stop: stopping.signal, handle })
  await pollUntil('all messages are completed', isAllCompleted)
  expect(handled.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n))
  expect(highest).toBe(6)
})

test('a few ask while nothing comes, and more messages than those are handled at once', async () => {
  const open: (() => void)[] = []
  const handle = () => new Promise<void>((resolve) => open.push(resolve))
  receiveMessages<{ n: number }>(boss, RUN_QUEUE, { max: 20, options: OPTIONS, stop: stopping.signal, handle })
  const asking = () => boss.getWipData().filter(({ name }) => name === RUN_QUEUE).length
  expect(asking()).toBe(4)
  await send(12)
  await pollUntil('twelve messages in progress', () => open.length === 12)
  for (const end of open) end()
  await pollUntil('all messages are completed', isAllCompleted)
  await pollUntil('four ask', () => asking() === 4)
})

test('after a failure the next message is received', async () => {
  const handled: number[] = []
  const handle = async ({ n }: { n: number }) => {
    handled.push(n)
    if (handled.length === 1) throw new Error('the first one fails')
  }
  receiveMessages<{ n: number }>(boss, RUN_QUEUE, { max: 1, options: OPTIONS, stop: stopping.signal, handle })
  await send(3)
  await pollUntil('three messages were received', () => new Set(handled).size === 3)
})
