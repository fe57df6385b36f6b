import { expect, it } from 'vitest'
import { makeTestAgent } from '../../../tests/support/agent-tool'
import { siteFiles as files } from '../../../tests/support/sites'
import { withTemporaryStorage } from '../../../tests/support/temporary-storage'
import { sitePublish } from './site_publish'
import { siteRead } from './site_read'
import { siteTakeDown } from './site_take_down'

withTemporaryStorage()

it('lists the files of a version, and returns the text of one', async () => {
  const me = await makeTestAgent()
  const slug = 'to-read'
  await me.run(sitePublish, { slug, files: files(['index.html', 'one']) })
  await me.run(sitePublish, { slug, files: files(['index.html', 'two'], ['big.txt', 'x'.repeat(300_000)]) })
  expect(await me.run(siteRead, { slug })).toEqual({
    ...{ url: 'https://g.example/sites/to-read/', version: 2, isLive: true },
    files: [
      { path: 'big.txt', contentType: 'text/plain; charset=utf-8', bytes: 300_000 },
      { path: 'index.html', contentType: 'text/html; charset=utf-8', bytes: 3 },
    ],
  })
  expect(await me.run(siteRead, { slug, path: 'index.html' })).toMatchObject({ content: 'two', cut: false })
  expect(await me.run(siteRead, { slug, version: 1, path: 'index.html' })).toMatchObject({ content: 'one' })
  const big = await me.run<{ content: string; cut: boolean }>(siteRead, { slug, path: 'big.txt' })
  expect([big.content.length, big.cut]).toEqual([200_000, true])
  await me.run(siteTakeDown, { slug })
  expect(await me.run(siteRead, { slug })).toMatchObject({ version: 2 })
})

it('finds nothing of another owner, and refuses what is not text', async () => {
  const [me, other] = [await makeTestAgent(), await makeTestAgent()]
  await me.run(sitePublish, { slug: 'mine-to-read', files: [{ path: 'p.png', base64: 'AAEC' }] })
  for (const [who, wrong] of [
    [other, { slug: 'mine-to-read' }],
    [other, { slug: 'mine-to-read', version: 1, path: 'p.png' }],
    [me, { slug: 'mine-to-read', version: 2 }],
    [me, { slug: 'mine-to-read', path: 'nope' }],
    [me, { slug: 'nobody' }],
  ] as const) {
    await expect(who.run(siteRead, wrong)).rejects.toMatchObject({ code: 'not_found' })
  }
  await expect(me.run(siteRead, { slug: 'mine-to-read', path: 'p.png' })).rejects.toMatchObject({
    code: 'invalid_request',
  })
})
