import { expect, it } from 'vitest'
import { makeTestAgent } from '../../../tests/support/agent-tool'
import { prisma } from '../../db'
import { podRun } from './pod_run'

type Ran = { exitCode: number; stdout: string; stderr: string; cwd: string }

it('keeps files and the current folder from command to command, for each conversation', async () => {
  const [one, two] = [await makeTestAgent(), await makeTestAgent()]
  await one.run(podRun, { command: 'mkdir p && cd p && echo hi > a.txt && x=1' })
  expect(await one.run(podRun, { command: 'cat a.txt; echo "[$x]"' })).toEqual({
    ...{ exitCode: 0, stdout: 'hi\n[]\n', stderr: '', cwd: '/home/user/p' },
  })
  expect(await two.run(podRun, { command: 'ls -A' })).toMatchObject({ stdout: '', cwd: '/home/user' })
  const same = await makeTestAgent(one.ownerId)
  expect(await same.run(podRun, { command: 'ls -A' })).toMatchObject({ stdout: '' })
})

it('gives no owner the shell of another one, whatever conversation is named', async () => {
  const [me, other] = [await makeTestAgent(), await makeTestAgent()]
  await me.run(podRun, { command: 'echo secret > s.txt' })
  const context = { signal: AbortSignal.timeout(60_000), onSent: () => {}, spent: () => {}, ownerId: other.ownerId }
  const input = podRun.params.parse({ command: 'cat s.txt; ls -A; echo mine > s.txt' }) as never
  await expect(podRun.run(input, { ...context, jobId: me.jobId })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  expect(await me.run(podRun, { command: 'cat s.txt' })).toMatchObject({ stdout: 'secret\n' })
  await expect(podRun.run(input, context)).rejects.toMatchObject({ code: 'invalid_request' })
})

it('needs approval for a destructive command, shown as it is, and then runs it', async () => {
  const me = await makeTestAgent()
  await me.run(podRun, { command: 'echo a > a.txt; echo b > b.txt' })
  expect(await me.asks(podRun, { command: 'cat a.txt > c.txt' })).toBeNull()
  const command = 'rm -rf a.txt\necho x > b.txt'
  expect(await me.asks(podRun, { command })).toEqual({
    summary: 'Run a command in the sandboxed shell that may destroy some of its files.',
    reason: 'Found in the command: rm removes or wipes -rf a.txt; > may overwrite b.txt.',
    command,
  })
  await me.run(podRun, { command })
  expect(await me.run(podRun, { command: 'ls; cat b.txt' })).toMatchObject({ stdout: 'b.txt\nx\n' })
})

it.each([
  ['an index that is a script', `printf '%s' 'a[$(rm keep.txt)]' > n; read -r i < n; echo $((i))`],
  ['a link made on the way', 'ln -s keep.txt l; echo x > l'],
  ['a move over what was moved', 'echo n > n; mv keep.txt k2; mv n k2'],
  ['a writing sed put together', `w='w keep.txt'; echo x | sed -n "$w"`],
  ['an option put together', 'o=-okeep.txt; echo x | sort $o'],
  ['a program in Python', `python3 -c "open('keep.txt', 'w').write('x')"`],
])('discards the result of a command that hides what it destroys: %s', async (_what, command) => {
  const me = await makeTestAgent()
  await me.run(podRun, { command: 'echo precious > keep.txt' })
  const asked = await me.asks(podRun, { command })
  if (!asked) {
    await me.run(podRun, { command }).catch((error) => {
      expect(error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('keep.txt') })
    })
  }
  const { stdout } = await me.run<Ran>(podRun, { command: 'cat keep.txt' })
  expect(stdout).toBe('precious\n')
})

it('says that a stopped command changed nothing', async () => {
  const me = await makeTestAgent()
  expect(await me.run(podRun, { command: 'echo x > f; sleep 60', timeoutS: 1 })).toMatchObject({
    exitCode: 124,
    stderr: expect.stringContaining('stopped after 1 s'),
  })
  expect(await prisma().pod.count({ where: { jobId: me.jobId } })).toBe(0)
})

it('stores 10,000 files, and names the limit beyond that', async () => {
  const me = await makeTestAgent()
  await me.run(podRun, { command: 'touch $(seq 1 10000); echo x > 77' })
  expect(await me.run(podRun, { command: 'ls | wc -l' })).toMatchObject({ stdout: '10000\n' })
  const many = { command: 'mkdir more && cd more && touch $(seq 1 10100)' }
  await expect(me.run(podRun, many)).rejects.toMatchObject({ message: expect.stringMatching(/stores 20000 files/) })
  const big = { command: "printf '%9000000s' x > big; printf '%9000000s' x > big2" }
  await expect(me.run(podRun, big)).rejects.toMatchObject({ message: expect.stringMatching(/stores 16 MiB/) })
  expect(await me.run(podRun, { command: 'ls | wc -l; cat 77' })).toMatchObject({ stdout: '10000\nx\n' })
})

it('runs concurrent commands one after the other, so that none is lost', async () => {
  const me = await makeTestAgent()
  await Promise.all(Array.from({ length: 8 }, (_, i) => me.run(podRun, { command: `echo ${i} >> log` })))
  const { stdout } = await me.run<Ran>(podRun, { command: 'sort -n log' })
  expect(stdout).toBe('0\n1\n2\n3\n4\n5\n6\n7\n')
})
