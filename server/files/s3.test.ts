import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { AwsV4Signer } from 'aws4fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from './shape'
import { openStore } from './store'

const SECRET = 'se/cr@t:+1'
const objects = new Map<string, { body: string; type: string | undefined }>()
let s3: Server
let port: number
let store: Store

/** Recomputes the signature as S3 would, from what came over the wire. */
async function isSigned(req: IncomingMessage, body: string, secret = SECRET): Promise<boolean> {
  const given = String(req.headers.authorization)
  const [, key = '', day, region, service] =
    /Credential=([^/]+)\/(\d+)\/([^/]+)\/([^/]+)\/aws4_request/.exec(given) ?? []
  const datetime = String(req.headers['x-amz-date'])
  if (key !== 'AK' || service !== 's3' || !datetime.startsWith(String(day))) return false
  const headers = { 'x-amz-content-sha256': String(req.headers['x-amz-content-sha256']) }
  const url = `http://127.0.0.1:${port}${req.url}`
  const init = { method: req.method ?? '', url, headers, body, datetime, region, service }
  const signer = new AwsV4Signer({ ...init, accessKeyId: 'AK', secretAccessKey: secret })
  return (await signer.sign()).headers.get('authorization') === given
}

beforeAll(async () => {
  s3 = createServer(async (req, res) => {
    const body = await text(req)
    const key = req.url ?? ''
    if (!(await isSigned(req, body))) return res.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>')
    if (key.endsWith('broken')) return res.writeHead(501).end('<Code>NotImplemented</Code>')
    if (req.method === 'PUT') {
      objects.set(key, { body, type: req.headers['content-type'] })
      return res.end()
    }
    const found = objects.get(key)
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? []
    if (found && start && end && !key.includes('whole')) {
      return res.writeHead(206).end(Buffer.from(found.body).subarray(Number(start), Number(end) + 1))
    }
    return found ? res.end(found.body) : res.writeHead(404).end('<Code>NoSuchKey</Code>')
  })
  await new Promise<void>((done) => s3.listen(0, '127.0.0.1', done))
  port = (s3.address() as AddressInfo).port
  store = openStore(`s3://AK:${encodeURIComponent(SECRET)}@127.0.0.1:${port}/bucket/shots?region=eu-west-3&tls=false`)
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

  it('is unavailable when S3 refuses, without saying why to the caller', async () => {
    const wrong = openStore(`s3://AK:wrong@127.0.0.1:${port}/bucket?tls=false`)
    const refused = { code: 'unavailable', message: expect.not.stringMatching(/Signature|wrong/) }
    await expect(wrong.put('a.txt', Buffer.from('x'), 'text/plain')).rejects.toMatchObject(refused)
    await expect(store.get('broken')).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('is unavailable when S3 cannot be reached', async () => {
    const away = openStore('s3://AK:x@127.0.0.1:9/bucket?tls=false')
    await expect(away.get('a.txt')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 })
  })
})
