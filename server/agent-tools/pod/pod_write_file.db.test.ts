import { expect, it } from 'vitest'
import { makeTestAgent } from '../../../tests/support/agent-tool'
import { podReadFile } from './pod_read_file'
import { podRun } from './pod_run'
import { podWriteFile } from './pod_write_file'

it('writes new files and their folders without approval', async () => {
  const me = await makeTestAgent()
  const input = { path: 'src/deep/a.txt', content: 'hé\n' }
  expect(await me.asks(podWriteFile, input)).toBeNull()
  expect(await me.run(podWriteFile, input)).toEqual({ path: '/home/user/src/deep/a.txt', bytes: 4, created: true })
  expect(await me.run(podRun, { command: 'cat src/deep/a.txt' })).toMatchObject({ stdout: 'hé\n' })
})

it('needs approval to replace content, but not to append, repeat or fill an empty file', async () => {
  const me = await makeTestAgent()
  await me.run(podWriteFile, { path: 'a', content: 'old!' })
  await me.run(podRun, { command: 'touch empty; ln -s a l' })
  for (const path of ['a', '/home/user/a', '~/a', './x/../a', 'l']) {
    expect(await me.asks(podWriteFile, { path, content: 'new' })).toEqual({
      summary: 'Replace the content of /home/user/a.',
      reason: 'Its 4 bytes are lost; the new content has 3.',
      command: 'write 3 bytes over /home/user/a',
    })
  }
  expect(await me.asks(podWriteFile, { path: 'a', content: 'old!' })).toBeNull()
  expect(await me.asks(podWriteFile, { path: 'empty', content: 'x' })).toBeNull()
  expect(await me.asks(podWriteFile, { path: 'a', content: ' more', append: true })).toBeNull()
  expect(await me.run(podWriteFile, { path: 'a', content: ' more', append: true })).toMatchObject({ created: false })
  expect(await me.run(podReadFile, { path: 'a' })).toMatchObject({ content: 'old! more' })
})

it('accepts base64, and refuses invalid base64', async () => {
  const me = await makeTestAgent()
  expect(await me.run(podWriteFile, { path: 'b', content: 'AP8B', encoding: 'base64' })).toMatchObject({ bytes: 3 })
  expect(await me.run(podReadFile, { path: 'b' })).toMatchObject({ encoding: 'base64', content: 'AP8B' })
  const bad = { path: 'c', content: 'A%', encoding: 'base64' }
  await expect(me.run(podWriteFile, bad)).rejects.toMatchObject({ code: 'invalid_request' })
})

it.each(['/bin/ls', '/etc/passwd', '/home/user', '../../dev/null', '/', 'a/b'])('refuses %s', async (path) => {
  const me = await makeTestAgent()
  await me.run(podWriteFile, { path: 'a', content: 'a file' })
  expect(await me.asks(podWriteFile, { path, content: 'x' })).toBeNull()
  await expect(me.run(podWriteFile, { path, content: 'x' })).rejects.toMatchObject({ code: 'invalid_request' })
})

it.each(['', 'a\nb', 'a\0b', '\ud800', 'x'.repeat(1_001)])('refuses the path %j', (path) => {
  expect(podWriteFile.params.safeParse({ path, content: 'x' }).success).toBe(false)
})
