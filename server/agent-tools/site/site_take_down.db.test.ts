import { expect, it } from 'vitest'
import { makeTestAgent } from '../../../tests/support/agent-tool'
import { siteFiles as files } from '../../../tests/support/sites'
import { withTemporaryStorage } from '../../../tests/support/temporary-storage'
import { sitePublish } from './site_publish'
import { siteTakeDown } from './site_take_down'

withTemporaryStorage()

it('needs approval once, and takes the site down', async () => {
  const me = await makeTestAgent()
  const slug = 'to-end'
  await me.run(sitePublish, { slug, files: files(['index.html', 'one']) })
  expect(await me.asks(siteTakeDown, { slug })).toEqual({
    summary: 'Take the site to-end down: version 1 with 1 file.',
    reason: 'https://g.example/sites/to-end/ serves nothing until a version is served again.',
    deploymentId: 'to-end@1',
  })
  expect(await me.run(siteTakeDown, { slug })).toEqual({ slug, wasLive: 1 })
  expect(await me.asks(siteTakeDown, { slug })).toBeNull()
  expect(await me.run(siteTakeDown, { slug })).toEqual({ slug, wasLive: null })
  const again = { slug, files: files(['index.html', 'three']) }
  expect(await me.asks(sitePublish, again), 'nothing live is replaced').toBeNull()
})

it('finds no site of another owner', async () => {
  const [me, other] = [await makeTestAgent(), await makeTestAgent()]
  await me.run(sitePublish, { slug: 'not-theirs', files: files(['index.html', 'x']) })
  expect(await other.asks(siteTakeDown, { slug: 'not-theirs' })).toBeNull()
  await expect(other.run(siteTakeDown, { slug: 'not-theirs' })).rejects.toMatchObject({ code: 'not_found' })
  expect(await me.run(siteTakeDown, { slug: 'not-theirs' })).toMatchObject({ wasLive: 1 })
})
