import { expect, it } from 'vitest'
import { makeTestAgent } from '../../../tests/support/agent-tool'
import { podDestroy } from './pod_destroy'
import { podRun } from './pod_run'

it('needs approval, names what is lost, and leaves an empty shell', async () => {
  const me = await makeTestAgent()
  expect(await me.asks(podDestroy)).toBeNull()
  expect(await me.run(podDestroy)).toEqual({ destroyed: false })
  await me.run(podRun, { command: 'mkdir d; echo hi > d/a; echo x > b' })
  expect(await me.asks(podDestroy)).toEqual({
    summary: 'Destroy the sandboxed shell of this conversation.',
    reason: 'Files from before this run cannot be restored: 2 files with 5 bytes.',
    command: 'destroy the pod and its 2 files',
  })
  const other = await makeTestAgent()
  expect(await other.run(podDestroy)).toEqual({ destroyed: false })
  expect(await me.run(podDestroy)).toEqual({ destroyed: true })
  expect(await me.run(podRun, { command: 'ls -A; pwd' })).toMatchObject({ stdout: '/home/user\n' })
})

it('needs no approval where this run made all files', async () => {
  const me = await makeTestAgent(undefined, true)
  await me.run(podRun, { command: 'echo hi > a' })
  expect(await me.asks(podDestroy)).toBeNull()
  expect(await me.runUnasked(podDestroy)).toEqual({ destroyed: true })
})
