import { randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { makeOwner } from '../../../tests/support/owners'
import { prisma } from '../../db'
import { env } from '../../env'
import { decryptDatabaseUrl, encryptDatabaseUrl, reencryptDatabaseUrls } from './database-url'

/** Changing ENCRYPTION_KEY while the old one is known. */

const newKey = () => randomBytes(32).toString('hex')
const [before, now] = [newKey(), newKey()]
const setKeys = (ENCRYPTION_KEY: string, PREVIOUS_ENCRYPTION_KEY?: string) =>
  Object.assign(env(), { ENCRYPTION_KEY, PREVIOUS_ENCRYPTION_KEY })

/** An owner whose database was connected while the key was `key`. */
async function ownerWithDatabase(key: string, url: string) {
  setKeys(key)
  const { id: ownerId } = await makeOwner()
  await prisma().agentSettings.create({ data: { ownerId, databaseUrl: encryptDatabaseUrl(ownerId, url) } })
  return ownerId
}

const stored = async (ownerId: number) =>
  (await prisma().agentSettings.findUniqueOrThrow({ where: { ownerId } })).databaseUrl ?? new Uint8Array()

afterEach(async () => {
  await prisma().agentSettings.deleteMany()
})

test('the previous key still decrypts, until everything is encrypted with the new one', async () => {
  const url = 'postgres://reader:secret@db.example.com/orders'
  const ownerId = await ownerWithDatabase(before, url)
  setKeys(now, before)
  expect(decryptDatabaseUrl(ownerId, await stored(ownerId))).toBe(url)
  setKeys(now)
  expect(decryptDatabaseUrl(ownerId, await stored(ownerId))).toBeNull()
  setKeys(now, before)
  expect(await reencryptDatabaseUrls()).toEqual({ encrypted: 1, undecryptable: [] })
  setKeys(now)
  expect(decryptDatabaseUrl(ownerId, await stored(ownerId))).toBe(url)
})

test('a URL that no key decrypts is named and stays as it is', async () => {
  const lost = await ownerWithDatabase(newKey(), 'postgres://u:p@one.example.com/a')
  const kept = await ownerWithDatabase(before, 'postgres://u:p@two.example.com/b')
  const bytes = await stored(lost)
  setKeys(now, before)
  expect(await reencryptDatabaseUrls()).toEqual({ encrypted: 1, undecryptable: [lost] })
  expect(await stored(lost)).toEqual(bytes)
  setKeys(now)
  expect(decryptDatabaseUrl(kept, await stored(kept))).toBe('postgres://u:p@two.example.com/b')
})

test('one owner’s stored URL decrypts for nobody else', async () => {
  const ownerId = await ownerWithDatabase(now, 'postgres://u:p@one.example.com/a')
  expect(decryptDatabaseUrl(ownerId + 1, await stored(ownerId))).toBeNull()
})
