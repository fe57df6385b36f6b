import { randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { datasetCreate } from '../../server/agent-tools/data/dataset_create'
import { prisma } from '../../server/db'
import { env } from '../../server/env'
import { hostFile } from '../../server/files/put'
import { fileStore } from '../../server/files/store'
import { publishSite } from '../../server/sites/publish'
import { makeTestAgent } from '../support/agent-tool'
import { chargedTo, send, withSandbox } from '../support/api'
import { makeFile } from '../support/file'
import { makeJob } from '../support/job'
import { makeCaller, makeKey, type TestOwner } from '../support/owners'
import { signUpSomebody } from '../support/signed-in'
import { withTemporaryStorage } from '../support/temporary-storage'

withSandbox()
withTemporaryStorage()

const ROWS = [
  { city: 'Olbia', homes: 480, note: 'by the sea' },
  { city: 'Nuoro', homes: 12, note: 'in the hills' },
  { city: "L'Aquila", homes: null, note: '100 % "quoted"' },
]
const slugFor = () => `site-${randomBytes(4).toString('hex')}`

/** What the runs of an account left: a dataset, a site with two versions, and two files. */
async function fill({ id: ownerId }: TestOwner, keyId: number) {
  const jobId = await makeJob({ ownerId, keyId, status: 'completed' })
  await (await makeTestAgent(ownerId)).run(datasetCreate, { name: 'homes', rows: ROWS })
  const slug = slugFor()
  for (const content of ['one', 'two']) await publishSite(ownerId, { slug, files: [{ path: 'index.html', content }] })
  for (const [at, name] of ['chart.png', 'report.pdf'].entries()) {
    const file = await makeFile(ownerId, { bytes: 10 + at, createdAt: new Date(Date.now() + at) })
    await prisma().artifact.create({ data: { jobId, kind: 'file', ref: file.id, name, index: 1 } })
  }
  for (const [kind, ref] of [
    ['dataset', 'homes'],
    ['site', slug],
  ] as const)
    await prisma().artifact.create({ data: { jobId, kind, ref, name: ref, index: 0 } })
  return { jobId, slug }
}

let owner: TestOwner
let key: string
let made: Awaited<ReturnType<typeof fill>>
let stranger: string
beforeAll(async () => {
  const caller = await makeCaller(1_000, { agent: true })
  owner = caller.owner
  key = caller.key.key
  made = await fill(owner, caller.key.id)
  stranger = (await makeCaller(1_000, { agent: true })).key.key
})

const at = (path: string, more: object = {}) => send(`/api/v1${path}`, { key, ...more })

describe('200', () => {
  it('lists datasets, sites and files with the run that made each, for free', async () => {
    const { body } = await at('/datasets')
    expect(body).toMatchObject({
      datasets: [{ name: 'homes', rowCount: 3, jobId: made.jobId, columns: [{ name: 'city', type: 'text' }, {}, {}] }],
      nextCursor: null,
    })
    expect((await at('/sites')).body).toMatchObject({
      sites: [{ slug: made.slug, live: 2, jobId: made.jobId, versions: [{ version: 2, files: 1 }, { version: 1 }] }],
    })
    const first = await at('/agent/files?limit=1')
    expect(first.body).toMatchObject({ files: [{ name: 'report.pdf', bytes: 11, jobId: made.jobId }] })
    const second = await at(`/agent/files?limit=1&cursor=${first.body.nextCursor}`)
    expect(second.body).toMatchObject({ files: [{ name: 'chart.png' }], nextCursor: null })
    expect(second.body).toMatchObject({ usedBytes: 21, maxBytes: 20_000_000_000 })
    expect(await chargedTo(owner)).toBe(0)
  })

  it('serves an earlier version of a site, takes it down, and serves it again', async () => {
    const { slug } = made
    const serve = (version: number) => at(`/sites/${slug}/rollback`, { body: { version } })
    expect((await serve(1)).body).toMatchObject({ version: 1, replaced: 2 })
    expect((await at(`/sites/${slug}/take-down`, { body: {} })).body).toEqual({ slug, wasLive: 1 })
    expect((await at('/sites')).body).toMatchObject({ sites: [{ live: null }] })
    expect((await at(`/sites/${slug}/take-down`, { body: {} })).body).toEqual({ slug, wasLive: null })
    expect((await serve(2)).body).toMatchObject({ version: 2, replaced: null })
    expect((await serve(3)).status).toBe(404)
  })

  it('renames and deletes a dataset', async () => {
    await (await makeTestAgent(owner.id)).run(datasetCreate, { name: 'old', rows: [{ a: 1 }] })
    const rename = (newName: string) => at('/datasets/old', { method: 'PATCH', body: { newName } })
    expect(await rename('homes')).toMatchObject({ status: 400, body: { issues: [{ path: 'newName' }] } })
    expect(await rename('Not a name')).toMatchObject({ status: 400, body: { issues: [{ path: 'newName' }] } })
    expect((await rename('new')).body).toEqual({ name: 'new' })
    expect((await at('/datasets/old', { method: 'DELETE' })).status).toBe(404)
    expect((await at('/datasets/new', { method: 'DELETE' })).body).toEqual({ name: 'new' })
    expect((await at('/datasets')).body.datasets).toHaveLength(1)
  })
})

describe('files', () => {
  const hosted = (ownerId: number, name?: string) =>
    hostFile({ ownerId, bytes: Buffer.from('a text'), contentType: 'text/plain', name })

  it('of no run are listed, and one that is deleted is gone from its address, runs and the sum', async () => {
    const { owner: me, key: mine } = await makeCaller(1_000, { agent: true })
    const jobId = await makeJob({ ownerId: me.id, keyId: mine.id, status: 'completed' })
    const [{ id, url }, other] = [await hosted(me.id), await hosted(me.id, 'sales.csv')]
    await prisma().artifact.create({ data: { jobId, kind: 'file', ref: id, name: 'notes.txt', index: 1 } })
    const list = async () => (await at('/agent/files', { key: mine.key })).body
    expect(await list()).toMatchObject({
      usedBytes: 12,
      files: [
        { id: other.id, name: 'sales.csv', kind: 'file', jobId: null },
        { id, name: 'notes.txt', jobId },
      ],
    })
    const remove = (asked: object = {}) => at(`/agent/files/${id}`, { key: mine.key, method: 'DELETE', ...asked })
    expect((await remove({ key: stranger })).status).toBe(404)
    expect(await remove()).toMatchObject({ status: 200, body: { id } })
    expect((await remove()).status).toBe(404)
    expect((await send(new URL(url).pathname)).status).toBe(404)
    expect(await fileStore().get(id)).toBeNull()
    expect(await list()).toMatchObject({ usedBytes: 6, files: [{ id: other.id }] })
    expect((await at(`/agent/${jobId}`, { key: mine.key })).body.artifacts).toEqual([])
    expect((await send(new URL(other.url).pathname)).status).toBe(200)
  })

  it('beyond the space of the account are refused, the others’ are not, and nothing is charged', async () => {
    const { owner: full, key: itsKey } = await makeCaller(1_000, { agent: true, capabilities: ['web'] })
    await makeFile(full.id, { bytes: 2_000_000_000 })
    await makeFile(full.id, { bytes: 1_000_000_000 })
    Object.assign(env(), { OWNER_FILES_GB: 3 })
    try {
      await expect(hosted(full.id)).rejects.toThrow('may take 3 GB, and this one')
      const attachments = [{ name: 'a.txt', data: 'data:text/plain;base64,eA==' }]
      const body = { goal: 'Read it.', idempotencyKey: randomUUID(), attachments }
      const started = await at('/agent', { key: itsKey.key, body })
      expect(started).toMatchObject({ status: 400, body: { error: expect.stringContaining('Delete some first') } })
      await hosted(owner.id)
      expect(await chargedTo(full)).toBe(0)
    } finally {
      Object.assign(env(), { OWNER_FILES_GB: 20 })
    }
  })
})

describe('403 and 404', () => {
  it('403 for a key without agent runs or without the capability', async () => {
    const none = (await makeKey(owner)).key
    const data = (await makeKey(owner, { agent: true, capabilities: ['data'] })).key
    for (const path of ['/datasets', '/sites', '/agent/files'])
      expect((await at(path, { key: none })).status, path).toBe(403)
    expect((await at('/datasets', { key: data })).status).toBe(200)
    expect((await at('/sites', { key: data })).status).toBe(403)
  })

  it('another account has none of it, and its things are 404', async () => {
    const asked = { key: stranger }
    for (const path of ['/datasets', '/sites', '/agent/files'])
      expect(Object.values((await at(path, asked)).body)[0], path).toEqual([])
    for (const [method, path, body] of [
      ['PATCH', '/datasets/homes', { newName: 'mine' }],
      ['DELETE', '/datasets/homes', undefined],
      ['POST', `/sites/${made.slug}/rollback`, { version: 1 }],
      ['POST', `/sites/${made.slug}/take-down`, {}],
    ] as const)
      expect((await at(path, { ...asked, method, ...(body && { body }) })).status, path).toBe(404)
    expect((await at('/sites')).body).toMatchObject({ sites: [{ live: 2 }] })
  })
})

describe('rows on the page of a dataset', () => {
  it('are sorted with empty values last, filtered by any text in them, and paged', async () => {
    const { api, id } = await signUpSomebody()
    const many = Array.from({ length: 120 }, (_, n) => ({ n, word: n % 2 ? 'odd' : "it's even" }))
    const agent = await makeTestAgent(id)
    await agent.run(datasetCreate, { name: 'homes', rows: ROWS })
    await agent.run(datasetCreate, { name: 'many', rows: many })
    const rows = (asked: object) => api.library.rows({ name: 'homes', ...asked })
    const cities = async (asked: object) => (await rows(asked)).rows.map(([city]) => city)
    expect(await cities({})).toEqual(['Olbia', 'Nuoro', "L'Aquila"])
    expect(await cities({ sort: 'homes' })).toEqual(['Nuoro', 'Olbia', "L'Aquila"])
    expect(await cities({ sort: 'homes', order: 'desc' })).toEqual(['Olbia', 'Nuoro', "L'Aquila"])
    expect(await cities({ q: "l'AQ" })).toEqual(["L'Aquila"])
    expect(await cities({ q: '100 % "q' })).toEqual(["L'Aquila"])
    expect(await cities({ q: '%' })).toEqual(["L'Aquila"])
    expect(await cities({ q: "'; DROP TABLE homes; --" })).toEqual([])
    await expect(rows({ sort: 'price' })).rejects.toThrow('must be a column: city, homes, note')
    await expect(rows({ name: 'nothing' })).rejects.toThrow('There is no dataset')
    const first = await api.library.rows({ name: 'many', q: "it's" })
    expect([first.rows.length, first.hasMore]).toEqual([60, false])
    const page = await api.library.rows({ name: 'many', sort: 'n', order: 'desc', offset: 100 })
    expect([page.rows.length, page.rows[0]?.[0], page.hasMore]).toEqual([20, 19, false])
    expect((await api.library.rows({ name: 'many' })).hasMore).toBe(true)
  })
})
