import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDb, prisma } from '../db'
import { putFile } from './put'
import { readFile } from './read'
import { isFileId } from './shape'

let folder: string
let ownerId: number

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-files-'))
  process.env.STORAGE_URL = `file:${path.relative(process.cwd(), folder)}`
  process.env.PUBLIC_URL = 'https://gateway.example'
  const owner = await prisma().owner.create({ data: { email: `files-${Date.now()}@example.com` } })
  ownerId = owner.id
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await closeDb()
})

const png = () => putFile({ ownerId, bytes: Buffer.from('a picture'), contentType: 'image/png' })

describe('putFile', () => {
  it('hosts bytes under an unguessable id that tells their type', async () => {
    const { id, url } = await png()
    expect(id).toMatch(/^[0-9a-f]{32}\.png$/)
    expect(url).toBe(`https://gateway.example/files/${id}`)
    const row = await prisma().file.findUnique({ where: { id } })
    expect(row).toMatchObject({ ownerId, contentType: 'image/png', bytes: 9 })
  })

  it('leaves no drafts behind', async () => {
    await Promise.all(Array.from({ length: 10 }, png))
    const left = await readdir(folder, { recursive: true })
    expect(left.filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

describe('readFile', () => {
  it('gives back what was put', async () => {
    const { id } = await png()
    const file = await readFile(id)
    expect(file).toMatchObject({ contentType: 'image/png', bytes: 9, etag: `"${id}"` })
    const stream = await file?.open()
    expect(stream && (await text(stream))).toBe('a picture')
  })

  it.each([
    '',
    '.',
    '..',
    '../../etc/passwd',
    '..%2f..%2fetc%2fpasswd',
    `${'a'.repeat(32)}/../x`,
    `${'a'.repeat(32)}\0`,
  ])('knows no file by the name %j', async (id) => {
    expect(isFileId(id)).toBe(false)
    expect(await readFile(id)).toBeNull()
  })
})
