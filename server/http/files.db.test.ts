import { rm } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeOwner } from '../../tests/support/owners'
import { withTemporaryStorage } from '../../tests/support/temporary-storage'
import { hostFile } from '../files/put'
import { filesHandler } from './files'

const folder = withTemporaryStorage()

let ownerId: number
beforeAll(async () => {
  ownerId = (await makeOwner(0)).id
})

const png = () => hostFile({ ownerId, bytes: Buffer.from('the image'), contentType: 'image/png' })
const ask = (id: string, init?: RequestInit) => filesHandler(new Request(`http://localhost/files/${id}`, init))

describe('GET /files/{id}', () => {
  it('200 with type, length, an immutable cache and a policy under which nothing runs', async () => {
    const { id } = await png()
    const res = await ask(id)
    expect(res.status).toBe(200)
    expect(await res.text()).toBe('the image')
    expect(Object.fromEntries(res.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '9',
      'content-disposition': 'inline',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*; sandbox$/),
      etag: `"${id}"`,
      'x-request-id': expect.any(String),
    })
  })

  it('offers HTML as a download', async () => {
    const { id } = await hostFile({ ownerId, bytes: Buffer.from('<script>'), contentType: 'text/html' })
    expect((await ask(id)).headers.get('content-disposition')).toBe('attachment')
  })

  it('200 without a body for HEAD', async () => {
    const { id } = await png()
    const res = await ask(id, { method: 'HEAD' })
    expect(res.headers.get('content-length')).toBe('9')
    expect(await res.text()).toBe('')
  })

  it('304 for a reader who has it', async () => {
    const { id } = await png()
    for (const tag of [`"${id}"`, `W/"${id}"`, `"x", "${id}"`, '*']) {
      const res = await ask(id, { headers: { 'if-none-match': tag } })
      expect(res.status).toBe(304)
      expect(res.headers.get('etag')).toBe(`"${id}"`)
    }
    expect((await ask(id, { headers: { 'if-none-match': '"x"' } })).status).toBe(200)
  })

  it.each([
    ['bytes=0-3', 'the ', '0-3'],
    ['bytes=2-', 'e image', '2-8'],
    ['bytes=-4', 'mage', '5-8'],
    ['bytes=-100', 'the image', '0-8'],
    ['bytes=4-100', 'image', '4-8'],
    ['Bytes=8-8', 'e', '8-8'],
  ])('206 with the requested part: %s', async (range, part, contentRange) => {
    const { id } = await png()
    const res = await ask(id, { headers: { range } })
    expect(res.status).toBe(206)
    expect(await res.text()).toBe(part)
    expect(Object.fromEntries(res.headers)).toMatchObject({
      'content-range': `bytes ${contentRange}/9`,
      'content-length': String(part.length),
      'content-type': 'image/png',
      etag: `"${id}"`,
    })
  })

  it.each(['bytes=9-', 'bytes=100-200', 'bytes=-0'])('416 for a part beyond the end: %s', async (range) => {
    const { id } = await png()
    const res = await ask(id, { headers: { range } })
    expect(res.status).toBe(416)
    expect(res.headers.get('content-range')).toBe('bytes */9')
    expect(res.headers.get('cache-control')).toBe('no-store')
    expect(await res.text()).toBe('')
  })

  it.each(['bytes=0-1,3-4', 'bytes=5-2', 'bytes=-', 'bytes=a-b', 'lines=0-1', 'bytes 0-1'])(
    '200 with everything for what is no single range: %s',
    async (range) => {
      const { id } = await png()
      const res = await ask(id, { headers: { range } })
      expect([res.status, await res.text()]).toEqual([200, 'the image'])
      expect(res.headers.get('accept-ranges')).toBe('bytes')
      expect(res.headers.get('content-range')).toBeNull()
    },
  )

  it('heeds If-Range: the part of this version, everything of another', async () => {
    const { id } = await png()
    const part = (tag: string) => ask(id, { headers: { range: 'bytes=0-0', 'if-range': tag } })
    expect((await part(`"${id}"`)).status).toBe(206)
    for (const other of ['"x"', `W/"${id}"`, 'Sat, 21 Nov 2026 00:00:00 GMT']) {
      const res = await part(other)
      expect([res.status, await res.text()]).toEqual([200, 'the image'])
    }
  })

  it('304 wins over a range, and HEAD knows none', async () => {
    const { id } = await png()
    const headers = { range: 'bytes=0-0' }
    expect((await ask(id, { headers: { ...headers, 'if-none-match': `"${id}"` } })).status).toBe(304)
    const res = await ask(id, { method: 'HEAD', headers })
    expect([res.status, res.headers.get('content-length')]).toEqual([200, '9'])
  })

  it.each(['nothing', `${'0'.repeat(32)}.png`, '..%2f..%2fetc%2fpasswd', 'a/b'])('404 for %s', async (id) => {
    const res = await ask(id)
    expect(res.status).toBe(404)
    expect(await res.json()).toMatchObject({ error: 'File not found.', code: 'not_found', reason: 'not_found' })
    expect(res.headers.get('cache-control')).toBe('no-store')
  })

  it('404 when the bytes are gone', async () => {
    const { id } = await png()
    await rm(path.join(folder(), id.slice(0, 2), id))
    expect((await ask(id)).status).toBe(404)
  })

  it('405 with Allow for anything but reading', async () => {
    const res = await ask('x', { method: 'POST' })
    expect(res.status).toBe(405)
    expect(res.headers.get('allow')).toBe('GET, HEAD')
    expect(await res.json()).toMatchObject({ code: 'method_not_allowed' })
  })
})
