import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDb, prisma } from '../db'
import { putFile } from '../files/put'
import { filesDoor } from './files'

let folder: string
let ownerId: number

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-files-'))
  process.env.STORAGE_URL = `file:${path.relative(process.cwd(), folder)}`
  process.env.PUBLIC_URL = 'https://gateway.example'
  const owner = await prisma().owner.create({ data: { email: `door-${Date.now()}@example.com` } })
  ownerId = owner.id
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await closeDb()
})

const png = () => putFile({ ownerId, bytes: Buffer.from('a picture'), contentType: 'image/png' })
const ask = (id: string, init?: RequestInit) => filesDoor(new Request(`http://localhost/files/${id}`, init))

describe('GET /files/{id}', () => {
  it('200 with type, length, an immutable cache and a policy under which nothing runs', async () => {
    const { id } = await png()
    const res = await ask(id)
    expect(res.status).toBe(200)
    expect(await res.text()).toBe('a picture')
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
    const { id } = await putFile({ ownerId, bytes: Buffer.from('<script>'), contentType: 'text/html' })
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

  it.each(['nothing', `${'0'.repeat(32)}.png`, '..%2f..%2fetc%2fpasswd', 'a/b'])('404 for %s', async (id) => {
    const res = await ask(id)
    expect(res.status).toBe(404)
    expect(await res.json()).toEqual({ error: 'There is no such file.', code: 'not_found' })
    expect(res.headers.get('cache-control')).toBe('no-store')
  })

  it('404 when the bytes are gone', async () => {
    const { id } = await png()
    await rm(path.join(folder, id.slice(0, 2), id))
    expect((await ask(id)).status).toBe(404)
  })

  it('405 with Allow for anything but reading', async () => {
    const res = await ask('x', { method: 'POST' })
    expect(res.status).toBe(405)
    expect(res.headers.get('allow')).toBe('GET, HEAD')
    expect(await res.json()).toMatchObject({ code: 'method_not_allowed' })
  })
})
