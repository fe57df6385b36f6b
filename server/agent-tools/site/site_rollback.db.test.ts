import { expect, it } from 'vitest'
import { makeTestAgent } from '../../../tests/support/agent-tool'
import { siteFiles as files } from '../../../tests/support/sites'
import { withTemporaryStorage } from '../../../tests/support/temporary-storage'
import { sitePublish } from './site_publish'
import { siteRollback } from './site_rollback'
import { siteTakeDown } from './site_take_down'

withTemporaryStorage()

it('needs approval to serve another version, and serves it', async () => {
  const me = await makeTestAgent()
  const slug = 'two-versions'
  await me.run(sitePublish, { slug, files: files(['index.html', 'one']) })
  await me.run(sitePublish, { slug, files: files(['index.html', 'two']) })
  expect(await me.asks(siteRollback, { slug, version: 2 }), 'live already').toBeNull()
  expect(await me.asks(siteRollback, { slug, version: 1 })).toEqual({
    summary: 'Replace version 2 of the site two-versions with version 1: no files added, 1 changed, none removed.',
    reason: 'Visitors of https://g.example/sites/two-versions/ get it at once.',
    deploymentId: 'two-versions@1',
  })
  expect(await me.run(siteRollback, { slug, version: 1 })).toMatchObject({ version: 1, replaced: 2 })

  await me.run(siteTakeDown, { slug })
  expect(await me.asks(siteRollback, { slug, version: 2 })).toMatchObject({
    summary: 'Serve version 2 of the site two-versions, which is taken down.',
    deploymentId: 'two-versions@2',
  })
  expect(await me.run(siteRollback, { slug, version: 2 })).toMatchObject({ version: 2, replaced: null })
})

it('refuses a missing version, and the site of another owner', async () => {
  const [me, other] = [await makeTestAgent(), await makeTestAgent()]
  await me.run(sitePublish, { slug: 'mine-alone', files: files(['index.html', 'x']) })
  for (const [who, wrong] of [
    [me, { slug: 'mine-alone', version: 9 }],
    [other, { slug: 'mine-alone', version: 1 }],
    [me, { slug: 'nobody', version: 1 }],
  ] as const) {
    expect(await who.asks(siteRollback, wrong)).toBeNull()
    await expect(who.run(siteRollback, wrong)).rejects.toMatchObject({ code: 'not_found' })
  }
})
