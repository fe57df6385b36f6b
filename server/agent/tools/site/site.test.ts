import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeOwner } from '../../../../tests/support/make'
import { withOwnDatabase } from '../../../../tests/support/own-database'
import { env } from '../../../env'
import type { AnyTool } from '../../../tools/define'
import { siteList } from './site_list'
import { sitePublish } from './site_publish'
import { siteRead } from './site_read'
import { siteRollback } from './site_rollback'
import { siteTakeDown } from './site_take_down'

withOwnDatabase()

let folder: string
let me: number
let other: number
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-sites-'))
  Object.assign(env(), { STORAGE_URL: `file:${path.relative(process.cwd(), folder)}`, PUBLIC_URL: 'https://g.example' })
  me = (await makeOwner(0)).id
  other = (await makeOwner(0)).id
})
afterAll(() => rm(folder, { recursive: true }))

const asks = (tool: AnyTool, params: unknown, ownerId = me) =>
  tool.asks?.(tool.params.parse(params) as never, { ownerId, conversationId: 'x' })

async function run(tool: AnyTool, params: unknown, ownerId = me) {
  const context = { signal: AbortSignal.timeout(15_000), accepted: () => {}, spent: () => {}, ownerId }
  const result = await tool.run(tool.params.parse(params) as never, context)
  expect(tool.output.parse(result)).toEqual(result)
  return result
}

const files = (...texts: [path: string, content: string][]) => texts.map(([path, content]) => ({ path, content }))

it('publishes without asking, asks before it replaces, and tells what', async () => {
  const first = { slug: 'my-blog', files: files(['index.html', 'one'], ['a.css', 'a'], ['b.css', 'b']) }
  expect(await asks(sitePublish, first)).toBeNull()
  const done = await run(sitePublish, first)
  expect(done).toMatchObject({ url: 'https://g.example/sites/my-blog/', version: 1, replaced: null })

  expect(await asks(sitePublish, first), 'the same again changes nothing').toBeNull()
  const next = { slug: 'my-blog', files: files(['index.html', 'two'], ['a.css', 'a'], ['c.css', 'c'], ['d.css', 'd']) }
  expect(await asks(sitePublish, next)).toEqual({
    summary: 'Replace version 1 of the site my-blog by version 2: 2 files added, 1 changed, 1 removed.',
    reason: expect.stringContaining('https://g.example/sites/my-blog/'),
    deploymentId: 'my-blog@2',
  })
  expect(await run(sitePublish, next)).toMatchObject({ version: 2, replaced: 1 })
})

it('does not ask for what will be refused: a slug of another owner, bad files', async () => {
  await run(sitePublish, { slug: 'theirs', files: files(['index.html', 'x']) }, other)
  const take = { slug: 'theirs', files: files(['index.html', 'mine']) }
  expect(await asks(sitePublish, take)).toBeNull()
  await expect(run(sitePublish, take)).rejects.toMatchObject({ message: expect.stringContaining('taken') })

  await run(sitePublish, { slug: 'bad-files', files: files(['index.html', 'x']) })
  const bad = { slug: 'bad-files', files: files(['../x', 'y']) }
  expect(await asks(sitePublish, bad)).toBeNull()
  await expect(run(sitePublish, bad)).rejects.toMatchObject({ code: 'invalid_request' })
  for (const slug of ['ab', 'api', 'A-B-C', '../x']) {
    expect(sitePublish.params.safeParse({ slug, files: bad.files }).success).toBe(false)
  }
})

it('rolls back and takes down, asking first, for the owner alone', async () => {
  const slug = 'two-versions'
  await run(sitePublish, { slug, files: files(['index.html', 'one']) })
  await run(sitePublish, { slug, files: files(['index.html', 'two']) })

  expect(await asks(siteRollback, { slug, version: 2 }), 'live already').toBeNull()
  expect(await asks(siteRollback, { slug, version: 9 }), 'no such version').toBeNull()
  expect(await asks(siteRollback, { slug, version: 1 }, other)).toBeNull()
  expect(await asks(siteRollback, { slug, version: 1 })).toMatchObject({
    summary: 'Replace version 2 of the site two-versions by version 1: no files added, 1 changed, none removed.',
    deploymentId: 'two-versions@1',
  })
  await expect(run(siteRollback, { slug, version: 1 }, other)).rejects.toMatchObject({ code: 'not_found' })
  expect(await run(siteRollback, { slug, version: 1 })).toMatchObject({ version: 1, replaced: 2 })

  expect(await asks(siteTakeDown, { slug }, other)).toBeNull()
  expect(await asks(siteTakeDown, { slug })).toMatchObject({
    summary: 'Take the site two-versions down: version 1 with 1 file.',
    deploymentId: 'two-versions@1',
  })
  await expect(run(siteTakeDown, { slug }, other)).rejects.toMatchObject({ code: 'not_found' })
  expect(await run(siteTakeDown, { slug })).toEqual({ slug, wasLive: 1 })
  expect(await asks(siteTakeDown, { slug })).toBeNull()
  expect(await asks(siteRollback, { slug, version: 2 })).toMatchObject({ deploymentId: 'two-versions@2' })
  expect(
    await asks(sitePublish, { slug, files: files(['index.html', 'three']) }),
    'nothing live is replaced',
  ).toBeNull()
})

it('lists and reads what is the owner’s', async () => {
  const slug = 'to-read'
  await run(sitePublish, { slug, files: files(['index.html', 'hello'], ['big.txt', 'x'.repeat(300_000)]) })
  const { sites } = (await run(siteList, {})) as { sites: { slug: string }[] }
  expect(sites.find((one) => one.slug === slug)).toMatchObject({ live: 1, versions: [{ version: 1, files: 2 }] })
  expect(sites.map((one) => one.slug)).not.toContain('theirs')

  expect(await run(siteRead, { slug })).toMatchObject({
    version: 1,
    files: [{ path: 'big.txt' }, { path: 'index.html' }],
  })
  expect(await run(siteRead, { slug, path: 'index.html' })).toMatchObject({ content: 'hello', cut: false })
  const big = (await run(siteRead, { slug, path: 'big.txt' })) as { content: string; cut: boolean }
  expect([big.content.length, big.cut]).toEqual([200_000, true])
  for (const wrong of [{ slug, version: 2 }, { slug, path: 'nope' }, { slug: 'theirs' }, { slug: 'nobody' }]) {
    await expect(run(siteRead, wrong)).rejects.toMatchObject({ code: 'not_found' })
  }
})
