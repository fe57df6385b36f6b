import { expect, it } from 'vitest'
import { makeTestAgent } from '../../../tests/support/agent-tool'
import { siteFiles as files } from '../../../tests/support/sites'
import { withTemporaryStorage } from '../../../tests/support/temporary-storage'
import { sitePublish } from './site_publish'

withTemporaryStorage()

it('publishes without approval, and needs approval to replace a site, naming the changes', async () => {
  const me = await makeTestAgent()
  const first = { slug: 'my-blog', files: files(['index.html', 'one'], ['a.css', 'a'], ['b.css', 'b']) }
  expect(await me.asks(sitePublish, first)).toBeNull()
  const done = await me.run(sitePublish, first)
  expect(done).toMatchObject({ url: 'https://g.example/sites/my-blog/', version: 1, replaced: null })

  expect(await me.asks(sitePublish, first), 'the same again changes nothing').toBeNull()
  const next = { slug: 'my-blog', files: files(['index.html', 'two'], ['a.css', 'a'], ['c.css', 'c'], ['d.css', 'd']) }
  expect(await me.asks(sitePublish, next)).toEqual({
    summary:
      'Replace version 1 of the site my-blog with version 2: 2 files added, 1 changed, 1 removed. It removes b.css.',
    reason: expect.stringContaining('https://g.example/sites/my-blog/'),
    deploymentId: 'my-blog@2',
    needs: [{ kind: 'sites', name: 'my-blog' }],
    effect: expect.any(Function),
  })
  expect(await me.run(sitePublish, next)).toMatchObject({ version: 2, replaced: 1 })
})

it('refuses the name of another owner’s site, without asking for approval', async () => {
  const [me, other] = [await makeTestAgent(), await makeTestAgent()]
  await other.run(sitePublish, { slug: 'theirs', files: files(['index.html', 'x']) })
  const take = { slug: 'theirs', files: files(['index.html', 'mine']) }
  expect(await me.asks(sitePublish, take)).toBeNull()
  await expect(me.run(sitePublish, take)).rejects.toMatchObject({ message: expect.stringContaining('taken') })
})

it('needs no approval for what will be refused', async () => {
  const me = await makeTestAgent()
  await me.run(sitePublish, { slug: 'bad-files', files: files(['index.html', 'x']) })
  for (const path of ['../x', '/x', 'a\\b', 'a\0b']) {
    const bad = { slug: 'bad-files', files: files([path, 'y']) }
    expect(await me.asks(sitePublish, bad)).toBeNull()
    await expect(me.run(sitePublish, bad)).rejects.toMatchObject({ code: 'invalid_request' })
  }
  const good = files(['index.html', 'x'])
  for (const slug of ['ab', 'api', 'A-B-C', '../x']) {
    expect(sitePublish.params.safeParse({ slug, files: good }).success).toBe(false)
  }
  expect(sitePublish.params.safeParse({ slug: 'abc', files: [] }).success).toBe(false)
})
