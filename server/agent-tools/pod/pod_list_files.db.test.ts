import { expect, it } from 'vitest'
import { makeTestAgent } from '../../../tests/support/agent-tool'
import { podListFiles } from './pod_list_files'
import { podRun } from './pod_run'

it('lists files and links in a folder and its subfolders', async () => {
  const me = await makeTestAgent()
  expect(await me.run(podListFiles)).toEqual({ cwd: '/home/user', files: [], total: 0, bytes: 0 })
  await me.run(podRun, { command: 'mkdir -p d/e; echo hi > d/a; echo x > b; ln -s d/a l; cd d' })
  expect(await me.run(podListFiles)).toEqual({
    cwd: '/home/user/d',
    files: [
      { path: '/home/user/b', bytes: 2 },
      { path: '/home/user/d/a', bytes: 3 },
      { path: '/home/user/l', bytes: 0, link: 'd/a' },
    ],
    total: 3,
    bytes: 5,
  })
  expect(await me.run(podListFiles, { folder: 'e' })).toMatchObject({ total: 0 })
  expect(await me.run(podListFiles, { folder: '.' })).toMatchObject({ total: 1 })
  await expect(me.run(podListFiles, { folder: 'nope' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(me.run(podListFiles, { folder: '/home/user/b' })).rejects.toMatchObject({ code: 'not_found' })
})

it('lists at most a thousand files', async () => {
  const me = await makeTestAgent()
  await me.run(podRun, { command: 'for i in $(seq 1 1500); do echo $i > f$i; done' })
  const { files, total } = await me.run<{ files: unknown[]; total: number }>(podListFiles)
  expect([files.length, total]).toEqual([1_000, 1_500])
})
