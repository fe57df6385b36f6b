import { describe, expect, it } from 'vitest'
import { makeTestAgent, type TestAgent } from '../../../tests/support/agent-tool'
import { podRun } from './pod_run'
import { podWriteFile } from './pod_write_file'

const run = (me: TestAgent, command: string) => me.runUnasked(podRun, { command })

/** A shell with a file of an earlier run, as the next run of its conversation finds it. */
async function withOlderFile() {
  const before = await makeTestAgent(undefined, true)
  await before.runUnasked(podWriteFile, { path: 'old.txt', content: 'old\n' })
  const me = await makeTestAgent(before.ownerId, true, before.jobId)
  await me.runUnasked(podWriteFile, { path: 'mine.txt', content: 'mine\n' })
  return me
}

describe('files that a run made itself', () => {
  it('may be sorted in place, replaced, moved and removed', async () => {
    const me = await withOlderFile()
    const commands = [
      'sort -o mine.txt mine.txt',
      'echo again > mine.txt',
      'mv mine.txt its.txt && mkdir -p d && mv its.txt d/',
      'sed -i s/again/more/ d/its.txt',
      'rm d/its.txt',
    ]
    for (const command of commands) {
      expect(await me.asks(podRun, { command }), command).toBeNull()
      await run(me, command)
    }
    await me.runUnasked(podWriteFile, { path: 'w', content: 'one' })
    expect(await me.asks(podWriteFile, { path: 'w', content: 'two' })).toBeNull()
    await me.runUnasked(podWriteFile, { path: 'w', content: 'two' })
  })

  it('may even be lost by a command that nobody can analyze, where there are no others', async () => {
    const me = await makeTestAgent(undefined, true)
    await run(me, 'echo mine > mine.txt')
    const command = 'f=mine; $(echo rm) $f.txt'
    expect(await me.asks(podRun, { command })).toBeNull()
    await run(me, command)
  })
})

describe('files of an earlier run', () => {
  it.each([
    'rm old.txt',
    'echo new > old.txt',
    'rm *',
    'rm mine.txt old.txt',
    'find . -delete',
    'f=old; $(echo rm) $f.txt',
  ])('wait for a person: %s', async (command) => {
    const me = await withOlderFile()
    expect(await me.asks(podRun, { command })).not.toBeNull()
    await expect(run(me, command)).rejects.toMatchObject({ code: expect.stringMatching(/conflict|invalid_request/) })
  })

  it.each([
    ['moved to another name', 'mv old.txt new.txt', 'rm new.txt'],
    ['moved, and then grown', 'mv old.txt new.txt && echo more >> new.txt', 'rm new.txt'],
    ['made to look young', 'touch -d 2099-01-01 old.txt', 'rm old.txt'],
    ['appended to', 'echo more >> old.txt', 'echo x > old.txt'],
  ])('remain those of their run when they are %s', async (_how, first, second) => {
    const me = await withOlderFile()
    await run(me, first)
    expect(await me.asks(podRun, { command: second })).not.toBeNull()
    await expect(run(me, second)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('wait also where a link of the run leads to them', async () => {
    const me = await withOlderFile()
    await run(me, 'ln -s old.txt l')
    expect(await me.asks(podRun, { command: 'echo x > l' })).not.toBeNull()
    expect(await me.asks(podWriteFile, { path: 'l', content: 'x' })).not.toBeNull()
  })
})
