import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeTestAgent } from '../../../tests/support/agent-tool'
import { makeOwner } from '../../../tests/support/owners'
import { invalidRequest } from '../../errors'
import { hostFile } from '../../files/put'
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

describe('fromStep', () => {
  const PAGE = { url: 'https://a.example/', title: 'A page', text: 'It says this. '.repeat(2_000) }
  const LISTED = { rows: [{ a: 1 }, { a: 2 }], totalRows: 2 }

  async function makeWriter() {
    const me = await makeTestAgent()
    const bytes = new Uint8Array([0x89, 0x50, 0xff, 0x00])
    const { url } = await hostFile({ ownerId: me.ownerId, bytes, contentType: 'image/png' })
    const { id: stranger } = await makeOwner(0)
    const { url: others } = await hostFile({ ownerId: stranger, bytes, contentType: 'image/png' })
    const outputs: unknown[] = [PAGE, LISTED, { url, width: 1 }, 'a text', { url: others, width: 1 }]
    const earlierOutput = (step: number) => {
      if (step in outputs) return outputs[step]
      throw invalidRequest([{ path: ['fromStep'], message: `step ${step} has no result` }])
    }
    const write = (input: unknown, ends = earlierOutput) => {
      const caller = { ownerId: me.ownerId, jobId: me.jobId, run: { id: randomUUID(), conversation: [] } }
      const rest = { signal: AbortSignal.timeout(30_000), onSent: () => {}, spent: () => {}, earlierOutput: ends }
      return podWriteFile.run(podWriteFile.params.parse(input) as never, { ...caller, ...rest })
    }
    return { me, write }
  }

  it('writes the whole text of a page, rows as JSON, and what a tool made byte for byte', async () => {
    const { me, write } = await makeWriter()
    expect(await write({ path: 'page.txt', fromStep: 0 })).toMatchObject({ bytes: PAGE.text.length, created: true })
    await write({ path: 'page.json', fromStep: 0 })
    await write({ path: 'rows.json', fromStep: 1 })
    expect(await write({ path: 'img/logo.png', fromStep: 2 })).toMatchObject({ bytes: 4 })
    await write({ path: 'text', fromStep: 3 })
    expect(await me.run(podReadFile, { path: 'img/logo.png' })).toMatchObject({ content: 'iVD/AA==' })
    expect(await me.run(podRun, { command: 'cat text; grep -c title page.json; cat rows.json' })).toMatchObject({
      stdout: `a text1\n${JSON.stringify(LISTED, null, 2)}\n`,
    })
  })

  it('writes the result and not the file where that is another owner’s', async () => {
    const { me, write } = await makeWriter()
    await write({ path: 'made', fromStep: 4 })
    expect(await me.run(podReadFile, { path: 'made' })).toMatchObject({ encoding: 'text' })
  })

  it.each([
    ['neither', {}, /exactly one/],
    ['both', { content: '', fromStep: 0 }, /exactly one/],
    ['a step without a result', { fromStep: 9 }, /step 9 has no result/],
  ])('refuses %s', async (_, given, why) => {
    const { write } = await makeWriter()
    await expect(write({ path: 'a', ...given })).rejects.toThrow(why)
  })
})
