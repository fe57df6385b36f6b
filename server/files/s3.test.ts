import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isSignedForS3 } from '../../tests/support/s3-server'
import type { FileStore } from './shape'
import { openFileStore } from './store'

const SECRET = 'se/cr@t:+1'
const objects = new Map<string, { body: string; type: string | undefined }>()
/** When every object here was written, as lists and headers say it. */
const WRITTEN = new Date('2026-01-02T03:04:05.678Z')
let s3: Server
let port: number
let store: FileStore

/** A ListObjectsV2 answer, two objects a page. */
function listOf(query: URLSearchParams): string {
  const names = [...objects.keys()].map((key) => key.replace('/bucket/', '')).sort()
  const found = names.filter(
    (name) => name.startsWith(query.get('prefix') ?? '') && name > (query.get('start-after') ?? ''),
  )
  const entries = found
    .slice(0, 2)
    .map((name) => `<Contents><Key>${name}</Key><LastModified>${WRITTEN.toISOString()}</LastModified></Contents>`)
  return `<?xml version="1.0"?><ListBucketResult><KeyCount>${entries.length}</KeyCount>${entries.join('')}</ListBucketResult>`
}

beforeAll(async () => {
  s3 = createServer(async (req, res) => {
    const body = await text(req)
    const key = req.url ?? ''
    if (!(await isSignedForS3(req, body, { port, accessKey: 'AK', secret: SECRET })))
      return res.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>')
    if (key.endsWith('broken')) return res.writeHead(501).end('<Code>NotImplemented</Code>')
    if (req.method === 'PUT') {
      objects.set(key, { body, type: req.headers['content-type'] })
      return res.end()
    }
    if (key.startsWith('/bucket?')) return res.end(listOf(new URL(key, 'http://s3').searchParams))
    if (req.method === 'DELETE') return res.writeHead(objects.delete(key) ? 204 : 404).end()
    const found = objects.get(key)
    if (req.method === 'HEAD') return res.writeHead(found ? 200 : 404, { 'last-modified': WRITTEN.toUTCString() }).end()
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? []
    if (found && start && end && !key.includes('whole')) {
      return res.writeHead(206).end(Buffer.from(found.body).subarray(Number(start), Number(end) + 1))
    }
    return found ? res.end(found.body) : res.writeHead(404).end('<Code>NoSuchKey</Code>')
  })
  await new Promise<void>((done) => s3.listen(0, '127.0.0.1', done))
  port = (s3.address() as AddressInfo).port
  store = openFileStore(
    `s3://AK:${encodeURIComponent(SECRET)}@127.0.0.1:${port}/bucket/shots?region=eu-west-3&tls=false`,
  )
})
afterAll(() => {
  s3.closeAllConnections()
  s3.close()
})

describe('the S3 store', () => {
  it('puts signed objects under bucket and prefix, and gets them back', async () => {
    await store.put('abc.txt', Buffer.from('héllo'), 'text/plain')
    expect(objects.get('/bucket/shots/abc.txt')).toEqual({ body: 'héllo', type: 'text/plain' })
    const stream = await store.get('abc.txt')
    expect(stream && (await text(stream))).toBe('héllo')
  })

  it('gets a part, and is unavailable rather than pass the whole off as one', async () => {
    await store.put('part.txt', Buffer.from('0123456789'), 'text/plain')
    await store.put('whole.txt', Buffer.from('0123456789'), 'text/plain')
    const stream = await store.get('part.txt', { start: 2, end: 4 })
    expect(stream && (await text(stream))).toBe('234')
    await expect(store.get('whole.txt', { start: 2, end: 4 })).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('answers null for what is not there', async () => {
    expect(await store.get('nothing.txt')).toBeNull()
  })

  it('lists what is below its prefix page by page, and removes what was not written since', async () => {
    objects.clear()
    objects.set('/bucket/other/x.txt', { body: 'not ours', type: undefined })
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await store.put(name, Buffer.from(name), 'text/plain')
    const pages = [await store.list(''), await store.list('b.txt'), await store.list('c.txt')]
    expect(pages.map((page) => page.map(({ name }) => name))).toEqual([['a.txt', 'b.txt'], ['c.txt'], []])
    expect(pages[0]?.[0]?.at).toEqual(WRITTEN)
    expect(await store.remove({ name: 'a.txt', at: new Date(WRITTEN.getTime() - 60_000) })).toBe(false)
    expect(await store.remove({ name: 'a.txt', at: WRITTEN })).toBe(true)
    expect(await store.remove({ name: 'a.txt', at: WRITTEN })).toBe(false)
    expect([...objects.keys()].sort()).toEqual(['/bucket/other/x.txt', '/bucket/shots/b.txt', '/bucket/shots/c.txt'])
  })

  it('is unavailable when S3 refuses, without saying why to the caller', async () => {
    const wrong = openFileStore(`s3://AK:wrong@127.0.0.1:${port}/bucket?tls=false`)
    const refused = { code: 'unavailable', message: expect.not.stringMatching(/Signature|wrong/) }
    await expect(wrong.put('a.txt', Buffer.from('x'), 'text/plain')).rejects.toMatchObject(refused)
    await expect(store.get('broken')).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('is unavailable when S3 cannot be reached', async () => {
    const away = openFileStore('s3://AK:x@127.0.0.1:9/bucket?tls=false')
    await expect(away.get('a.txt')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 })
  })
})
