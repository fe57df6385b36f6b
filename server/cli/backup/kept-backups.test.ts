import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type S3Server, startS3Server } from '../../../tests/support/s3-server'
import { openBucket } from '../../files/s3-bucket'
import { deleteOlderBackups, findBackup, newBackupIn } from './kept-backups'
import { openPlace } from './open-place'
import type { BackupPlace } from './place'
import { uploadFile } from './upload-file'

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-kept-'))
let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await s3.stop()
})

const write = (place: BackupPlace, file: string, content: string) =>
  place.write(file, Readable.from([Buffer.from(content)]))

async function makeBackup(place: BackupPlace): Promise<void> {
  await write(place, 'tables/owner.copy.gz', 'rows')
  await write(place, 'manifest.json.sha256', createHash('sha256').update('{}').digest('hex'))
  await write(place, 'manifest.json', '{}')
}

const days = [1, 2, 3].map((day) => `2026-01-0${day}T03-30-00-000Z`)

describe.each(['folder', 'bucket'])('backups in a %s', (kind) => {
  let place: BackupPlace
  beforeAll(() => {
    place = openPlace(kind === 'folder' ? path.join(folder, 'kept') : s3.storageUrl.replace('?', '/kept?'))
  })

  test('only the newest stay, what a killed one left goes, and nothing else is touched', async () => {
    const now = newBackupIn(place)
    const nowName = now.label.split('/').at(-1) ?? ''
    for (const name of days) await makeBackup(place.in(name))
    await makeBackup(now)
    await makeBackup(place.in('before-the-upgrade'))
    const killed = `2026-01-02T04-00-00-000Z${place.draftSuffix}`
    const written = `${nowName.replace(/^2/, '3')}${place.draftSuffix}`
    for (const name of [killed, written]) await write(place.in(name), 'tables/owner.copy.gz', 'rows')
    expect(await deleteOlderBackups(place, 2)).toEqual([days[0], days[1], killed])
    expect(await place.names()).toEqual([days[2], nowName, written, 'before-the-upgrade'].sort())
    expect(await deleteOlderBackups(place, 2)).toEqual([])
  })

  test('one whose list of contents is not as it was written is not counted, and not the newest', async () => {
    const inner = place.in('damaged')
    for (const name of days) await makeBackup(inner.in(name))
    await write(inner.in(days[2] ?? ''), 'manifest.json', '{')
    expect(await findBackup(inner)).toMatchObject({
      place: { label: inner.in(days[1] ?? '').label },
      skipped: [days[2]],
    })
    const deleted = await deleteOlderBackups(inner, 2)
    expect(deleted).not.toContain(days[0])
    expect(deleted).not.toContain(days[1])
  })

  test('one is found by its own name, too', async () => {
    const own = place.in(days[2] ?? '')
    expect(await findBackup(own)).toMatchObject({ place: { label: own.label }, skipped: [] })
    await expect(findBackup(place.in('nowhere'))).rejects.toThrow('is not a backup, and no whole one is in it')
  })

  test('a new one is not begun where something is', async () => {
    await expect(place.in(days[2] ?? '').begin()).rejects.toThrow('is not empty')
  })
})

describe('a bucket', () => {
  const partsOf = async (bytes: number[]) => {
    const place = openPlace(s3.storageUrl)
    const sizes: number[] = []
    const { send } = openBucket(s3.storageUrl)
    const counted: typeof send = (name, request) => {
      if (request.method === 'PUT') sizes.push((request.body as Buffer).byteLength)
      return send(name, request)
    }
    const source = Readable.from(bytes.map((n, i) => Buffer.alloc(n, i + 1)))
    await uploadFile(counted, 'large', source, 10)
    const stored = await place.read('large')
    return { sizes, stored: stored && (await buffer(stored)) }
  }

  test.each([
    ['nothing', [], [0]],
    ['one part', [4, 6], [10]],
    ['parts of the same size, and a last one', [4, 9, 25], [10, 10, 10, 8]],
  ])('stores %s', async (_what, bytes, expected) => {
    const { sizes, stored } = await partsOf(bytes)
    expect(sizes).toEqual(expected)
    expect(stored).toEqual(Buffer.concat(bytes.map((n, i) => Buffer.alloc(n, i + 1))))
  })

  test('has nothing of a file whose source fails, and an operator reads why it cannot be used', async () => {
    const place = openPlace(s3.storageUrl)
    async function* failing() {
      yield Buffer.from('half')
      throw new Error('the source fails')
    }
    await expect(place.write('half', failing())).rejects.toThrow('the source fails')
    expect(await place.read('half')).toBeNull()
    const wrong = openPlace(s3.storageUrl.replace('a-secret', 'another'))
    await expect(write(wrong, 'x', 'x')).rejects.toThrow(/S3 answered PUT with 403: SignatureDoesNotMatch/)
    await expect(openPlace('s3://AK:x@127.0.0.1:9/bucket?tls=false').names()).rejects.toThrow(
      /cannot be used: bad port/,
    )
  })

  test('is tried again where the connection was cut', async () => {
    let cuts = 0
    s3.cutOff((method) => method === 'PUT' && cuts++ === 0)
    await write(openPlace(s3.storageUrl), 'again', 'there')
    s3.cutOff(() => false)
    const stored = await openPlace(s3.storageUrl).read('again')
    expect(stored && (await text(stored))).toBe('there')
    expect(cuts).toBe(2)
  })
})

test('a folder’s files are readable by their owner only', async () => {
  const place = openPlace(path.join(folder, 'private'))
  await makeBackup(place)
  expect(statSync(path.join(folder, 'private', 'manifest.json')).mode & 0o777).toBe(0o600)
  expect(statSync(path.join(folder, 'private', 'tables')).mode & 0o777).toBe(0o700)
  writeFileSync(path.join(folder, 'file'), '')
  await expect(openPlace(path.join(folder, 'file', 'x')).begin()).rejects.toThrow('ENOTDIR')
})
