import { expect, it } from 'vitest'
import { makeTestAgent } from '../../../tests/support/agent-tool'
import { siteFiles as files } from '../../../tests/support/sites'
import { withTemporaryStorage } from '../../../tests/support/temporary-storage'
import { siteList } from './site_list'
import { sitePublish } from './site_publish'

withTemporaryStorage()

type Sites = { sites: { slug: string; versions: unknown[] }[] }

it('lists the owner’s sites only, newest versions first', async () => {
  const [me, other] = [await makeTestAgent(), await makeTestAgent()]
  expect(await me.run(siteList)).toEqual({ sites: [] })
  await other.run(sitePublish, { slug: 'someone-elses', files: files(['index.html', 'x']) })
  await me.run(sitePublish, { slug: 'b-site', files: files(['index.html', 'x']) })
  await me.run(sitePublish, { slug: 'a-site', files: files(['index.html', 'one']) })
  await me.run(sitePublish, { slug: 'a-site', files: files(['index.html', 'two'], ['b.txt', 'é']) })
  expect(await me.run(siteList)).toEqual({
    sites: [
      {
        ...{ slug: 'a-site', url: 'https://g.example/sites/a-site/', live: 2 },
        versions: [
          { version: 2, files: 2, bytes: 5, createdAt: expect.any(String) },
          { version: 1, files: 1, bytes: 3, createdAt: expect.any(String) },
        ],
      },
      expect.objectContaining({ slug: 'b-site', live: 1 }),
    ],
  })
})

it('shows the twenty newest versions', async () => {
  const me = await makeTestAgent()
  for (let i = 0; i < 22; i++) {
    await me.run(sitePublish, { slug: 'many-versions', files: files(['index.html', `${i}`]) })
  }
  const { sites } = await me.run<Sites>(siteList)
  expect(sites[0]?.versions).toHaveLength(20)
  expect(sites[0]?.versions[0]).toMatchObject({ version: 22 })
})
