import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeOwner } from '../../tests/support/owners'
import { withTemporaryStorage } from '../../tests/support/temporary-storage'
import { prisma } from '../db'
import { listSites } from './list'
import { publishSite } from './publish'
import { readSitePage, readSiteText } from './read'
import { rollBackSite } from './rollback'
import { endPreview, takeDownSite } from './take-down'

withTemporaryStorage()

let ownerId: number
let other: number
beforeEach(async () => {
  ownerId = (await makeOwner(0)).id
  other = (await makeOwner(0)).id
})

let count = 0
const newSlug = () => `site-${++count}-test`
const page = (content: string) => [{ path: 'index.html', content }]
const publish = (slug: string, content: string, owner = ownerId) => publishSite(owner, { slug, files: page(content) })

async function shown(slug: string, at = ''): Promise<string | null> {
  const found = await readSitePage(slug, at)
  if (found?.kind !== 'file') return found?.kind ?? null
  const body = await found.open()
  return body && text(body)
}

describe('publishSite', () => {
  it('makes numbered versions, and serves the newest', async () => {
    const slug = newSlug()
    expect(await publish(slug, 'one')).toEqual({
      ...{ url: `https://g.example/sites/${slug}/`, version: 1, replaced: null, isPublic: true },
      ...{ added: 1, changed: 0, removed: 0 },
    })
    expect(await publish(slug, 'two')).toMatchObject({ version: 2, replaced: 1, added: 0, changed: 1, removed: 0 })
    expect(await shown(slug)).toBe('two')
  })

  it('publishes nothing when the same is live, so that a repeated step makes no second version', async () => {
    const slug = newSlug()
    await publish(slug, 'same')
    expect(await publish(slug, 'same')).toMatchObject({ version: 1, replaced: null, isPublic: true })
    expect((await listSites(ownerId))[0]?.versions).toHaveLength(1)
  })

  it('finds a slug of another owner taken, and leaves it alone, also when it is down', async () => {
    const slug = newSlug()
    await publish(slug, 'mine')
    await expect(publish(slug, 'theirs', other)).rejects.toMatchObject({ code: 'invalid_request' })
    await takeDownSite(ownerId, { slug })
    await expect(publish(slug, 'theirs', other)).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await prisma().siteVersion.count({ where: { slug } })).toBe(1)
  })

  it('gives each of 20 concurrent publishes its own number, and the last stays live', async () => {
    const slug = newSlug()
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => publish(slug, `content ${i}`)))
    expect(all.map(({ version }) => version).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
    const last = all.findIndex(({ version }) => version === 20)
    expect(await shown(slug)).toBe(`content ${last}`)
  })

  it('lets one of two owners have a slug that both want at once', async () => {
    const slug = newSlug()
    const both = await Promise.allSettled([publish(slug, 'a'), publish(slug, 'b', other)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find((b) => b.status === 'rejected')).toMatchObject({ reason: { code: 'invalid_request' } })
  })
})

describe('rollBackSite and takeDownSite', () => {
  it('serve an earlier version, none, and one again', async () => {
    const slug = newSlug()
    await publish(slug, 'one')
    await publish(slug, 'two')
    expect(await rollBackSite(ownerId, { slug, version: 1 })).toMatchObject({ version: 1, replaced: 2 })
    expect(await shown(slug)).toBe('one')
    expect(await takeDownSite(ownerId, { slug })).toEqual({ slug, wasLive: 1 })
    expect(await shown(slug)).toBeNull()
    await rollBackSite(ownerId, { slug, version: 2 })
    expect(await shown(slug)).toBe('two')
    expect(await publish(slug, 'three')).toMatchObject({ version: 3 })
  })

  it('know no version that is not there, and no site of another owner', async () => {
    const slug = newSlug()
    await publish(slug, 'mine')
    await expect(rollBackSite(ownerId, { slug, version: 7 })).rejects.toMatchObject({ code: 'not_found' })
    await expect(rollBackSite(other, { slug, version: 1 })).rejects.toMatchObject({ code: 'not_found' })
    await expect(takeDownSite(other, { slug })).rejects.toMatchObject({ code: 'not_found' })
    await expect(readSiteText(other, slug, { version: 1, path: 'index.html' })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await listSites(other)).toEqual([])
    expect(await shown(slug)).toBe('mine')
  })
})

describe('readPage', () => {
  it('finds files, folders and the site’s own page for what is missing', async () => {
    const slug = newSlug()
    const files = ['index.html', 'docs/index.html', 'docs/a.css', '404.html'].map((path) => ({ path, content: path }))
    await publishSite(ownerId, { slug, files })
    expect(await shown(slug)).toBe('index.html')
    expect(await shown(slug, 'index.html')).toBe('index.html')
    expect(await shown(slug, 'docs/')).toBe('docs/index.html')
    expect(await shown(slug, 'docs')).toBe('folder')
    expect(await shown(slug, 'docs/a.css')).toBe('docs/a.css')
    for (const none of ['nope', 'docs/nope/', '../x', 'Index.html', 'docs/a.css/']) {
      expect(await readSitePage(slug, none)).toMatchObject({ status: 404, file: { path: '404.html' } })
    }
  })

  it('says none where a site has no 404.html, and null where there is no site', async () => {
    const slug = newSlug()
    await publish(slug, 'x')
    expect(await readSitePage(slug, 'nope')).toEqual({ kind: 'none' })
    for (const no of ['nobody-has-this', '../x', 'API', '']) expect(await readSitePage(no, '')).toBeNull()
  })
})

it('readSiteText returns text and refuses images', async () => {
  const slug = newSlug()
  const files = [
    { path: 'a.md', content: '# é' },
    { path: 'p.png', base64: 'AAEC' },
  ]
  await publishSite(ownerId, { slug, files })
  expect(await readSiteText(ownerId, slug, { version: 1, path: 'a.md' })).toBe('# é')
  await expect(readSiteText(ownerId, slug, { version: 1, path: 'p.png' })).rejects.toMatchObject({
    code: 'invalid_request',
  })
})

describe('endPreview', () => {
  it('ends the address of one version, and keeps the version and what is live', async () => {
    const slug = newSlug()
    await publish(slug, 'one')
    await publishSite(ownerId, { slug, files: page('two'), isPreview: true })
    const { preview } = await prisma().siteVersion.findUniqueOrThrow({ where: { slug_version: { slug, version: 2 } } })
    expect(await shown(preview ?? '')).toBe('two')
    await expect(endPreview(other, { slug, version: 2 })).rejects.toMatchObject({ code: 'not_found' })
    expect(await shown(preview ?? '')).toBe('two')
    expect(await endPreview(ownerId, { slug, version: 2 })).toEqual({ slug, version: 2 })
    expect([await shown(preview ?? ''), await shown(slug)]).toEqual([null, 'one'])
    expect(await prisma().siteVersion.count({ where: { slug } })).toBe(2)
  })
})
