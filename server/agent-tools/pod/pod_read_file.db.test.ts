import { expect, it } from 'vitest'
import { makeTestAgent } from '../../../tests/support/agent-tool'
import { podReadFile } from './pod_read_file'
import { podRun } from './pod_run'
import { podWriteFile } from './pod_write_file'

type Part = { content: string; nextOffset: number | null; encoding: string; bytes: number }

it('returns long text in parts that end with whole characters', async () => {
  const me = await makeTestAgent()
  const content = `x${'é€😀'.repeat(60_000)}`
  await me.run(podWriteFile, { path: 'long', content })
  let text = ''
  for (let offset: number | null = 0; offset !== null; ) {
    const part: Part = await me.run(podReadFile, { path: 'long', offset })
    expect([part.encoding, part.bytes]).toEqual(['text', Buffer.byteLength(content)])
    text += part.content
    offset = part.nextOffset
  }
  expect(text).toBe(content)
})

it('says which file is missing, and follows links', async () => {
  const me = await makeTestAgent()
  await me.run(podRun, { command: 'mkdir d; echo hi > d/a; ln -s d l; : > empty' })
  expect(await me.run(podReadFile, { path: 'l/a' })).toMatchObject({ content: 'hi\n', nextOffset: null })
  expect(await me.run(podReadFile, { path: 'empty' })).toMatchObject({ content: '', encoding: 'text', bytes: 0 })
  expect(await me.run(podReadFile, { path: 'd/a', offset: 99 })).toMatchObject({ content: '', nextOffset: null })
  for (const path of ['nope', 'd', '/etc/passwd', '../../../etc/passwd', '/bin/ls']) {
    await expect(me.run(podReadFile, { path })).rejects.toMatchObject({ code: 'not_found' })
  }
})
