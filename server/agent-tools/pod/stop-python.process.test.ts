import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { closeParsers } from '../../kit/threads/pool'
import { POD_HOME } from './pod-files'
import { runPodCommand } from './pod-pool'

afterAll(closeParsers)

// In a process of its own: the time that its threads take is this command's alone.
it('stops Python when its time is over, and changes nothing', async () => {
  const command = 'echo a > a; python3 -c "while True: pass"'
  const pod = { packed: null, cwd: POD_HOME }
  const done = await runPodCommand({ command, approved: true, timeoutMs: 15_000 }, pod, { ownerId: 1 })
  expect(done).toMatchObject({
    kind: 'ran',
    exitCode: 124,
    stderr: 'The command was stopped after 15 s. Nothing was changed.',
  })
  expect(done).not.toHaveProperty('packed', expect.anything())
  const before = process.cpuUsage()
  await sleep(1_000)
  const { user, system } = process.cpuUsage(before)
  expect(user + system).toBeLessThan(500_000)
})
