import { readdir } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeOwner } from '../../tests/support/owners'
import { withTemporaryStorage } from '../../tests/support/temporary-storage'
import { mainPool, prisma, readPool } from '../db'
import { hostFile } from './put'
import { findHostedFile } from './read'
import { isFileId } from './shape'
import { fileSpace } from './space'

const folder = withTemporaryStorage()

let ownerId: number
beforeAll(async () => {
  ownerId = (await makeOwner(0)).id
})

const png = () => hostFile({ ownerId, bytes: Buffer.from('the image'), contentType: 'image/png' })

describe('hostFile', () => {
  it('hosts bytes under an unguessable id that shows their type', async () => {
    const { id, url } = await png()
    expect(id).toMatch(/^[0-9a-f]{32}\.png$/)
    expect(url).toBe(`https://g.example/files/${id}`)
    const row = await prisma().file.findUnique({ where: { id } })
    expect(row).toMatchObject({ ownerId, contentType: 'image/png', bytes: 9 })
  })

  it('leaves no drafts behind', async () => {
    await Promise.all(Array.from({ length: 10 }, png))
    const left = await readdir(folder(), { recursive: true })
    expect(left.filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

describe('a file whose row the database does not take', () => {
  beforeAll(async () => {
    for (const sql of [
      'CREATE SEQUENCE file_inserts',
      `CREATE FUNCTION refuse_file() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('file_inserts') % 2 = 1 THEN RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END IF; RETURN NEW; END $$`,
      'CREATE TRIGGER refuse_file BEFORE INSERT ON file FOR EACH ROW EXECUTE FUNCTION refuse_file()',
    ])
      await mainPool().query(sql)
    return async () => void (await mainPool().query('DROP TRIGGER refuse_file ON file'))
  })

  it('is put again', async () => {
    const { id } = await png()
    expect(await findHostedFile(id)).not.toBeNull()
  })
})

it('is hosted while nobody can say how much space its account has left', async () => {
  const real = readPool()
  readPool.set(new pg.Pool({ connectionString: 'postgresql://u@127.0.0.1:1/gone' }))
  try {
    await expect(fileSpace(ownerId)).rejects.toMatchObject({ code: 'unavailable' })
    const { id } = await png()
    expect(await prisma().file.count({ where: { id, ownerId } })).toBe(1)
  } finally {
    readPool.set(real)
  }
})

describe('findHostedFile', () => {
  it('gives back what was put', async () => {
    const { id } = await png()
    const file = await findHostedFile(id)
    expect(file).toMatchObject({ contentType: 'image/png', bytes: 9, etag: `"${id}"` })
    const stream = await file?.open()
    expect(stream && (await text(stream))).toBe('the image')
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
    expect(await findHostedFile(id)).toBeNull()
  })
})
