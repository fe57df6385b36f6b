import { readdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { makeOwner } from '../../tests/support/owners'
import { runRetentionTask } from '../../tests/support/retention-task'
import { siteFiles } from '../../tests/support/sites'
import { withTemporaryStorage } from '../../tests/support/temporary-storage'
import { mainPool, prisma } from '../db'
import { hostFile } from '../files/put'
import { oldSiteVersions } from './old-versions'
import { publishSite } from './publish'
import { readSiteText } from './read'
import { rollBackSite } from './rollback'
import { unreferencedFiles } from './unreferenced-files'

const folder = withTemporaryStorage()

let ownerId: number
beforeAll(async () => {
  ownerId = (await makeOwner(0)).id
})

/** A site with versions of different content, the last one live. */
async function siteOf(slug: string, versions: number): Promise<void> {
  for (let n = 1; n <= versions; n++)
    await publishSite(ownerId, { slug, files: siteFiles(['index.html', `${slug} ${n}`], ['same.css', 'same']) })
}

const versionsOf = async (slug: string) =>
  (await prisma().siteVersion.findMany({ where: { slug }, orderBy: { version: 'asc' } })).map(({ version }) => version)

const storedNames = async () =>
  (await readdir(folder(), { recursive: true, withFileTypes: true })).filter((f) => f.isFile())

/** Lets everything stored seem written `days` ago. */
async function age(days: number): Promise<void> {
  const at = new Date(Date.now() - days * 86_400_000)
  for (const file of await storedNames()) await utimes(path.join(file.parentPath, file.name), at, at)
}

test('the newest versions of a site and the live one are kept', async () => {
  await siteOf('many', 6)
  await siteOf('few', 2)
  await rollBackSite(ownerId, { slug: 'many', version: 2 })
  expect(await oldSiteVersions(3)?.count()).toBe(2)
  expect((await runRetentionTask(oldSiteVersions(3))).deleted).toBe(2)
  expect(await versionsOf('many')).toEqual([2, 4, 5, 6])
  expect(await versionsOf('few')).toEqual([1, 2])
  await expect(rollBackSite(ownerId, { slug: 'many', version: 3 })).rejects.toMatchObject({ code: 'not_found' })
  expect(oldSiteVersions(0)).toBeNull()
})

test('bytes that nothing refers to are deleted once they are old, and nothing else is', async () => {
  const { id } = await hostFile({ ownerId, bytes: Buffer.from('hosted'), contentType: 'image/png' })
  await siteOf('pages', 3)
  await runRetentionTask(oldSiteVersions(1))
  const crashed = path.join(folder(), 'ab', `${'ab'.repeat(16)}.${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.part`)
  const foreign = path.join(folder(), 'ab', 'notes.txt')
  const lone = path.join(folder(), 'ab', 'ab'.repeat(16))
  await import('node:fs/promises').then((fs) => fs.mkdir(path.join(folder(), 'ab'), { recursive: true }))
  for (const file of [crashed, foreign, lone]) await writeFile(file, 'x')
  const before = (await storedNames()).length
  expect(await unreferencedFiles({ days: 7, always: true })?.count()).toBe(0)
  await age(8)
  const due = await unreferencedFiles({ days: 7, always: true })?.count()
  expect(due).toBeGreaterThanOrEqual(4)
  expect((await runRetentionTask(unreferencedFiles({ days: 7, always: true }))).deleted).toBe(due)
  const left = (await storedNames()).map(({ name }) => name)
  expect(left).toHaveLength(before - (due ?? 0))
  expect(left).toContain(id)
  expect(left).toContain('notes.txt')
  expect(left).not.toContain(path.basename(crashed))
  expect(left).not.toContain(path.basename(lone))
  expect(await readSiteText(ownerId, 'pages', { version: 3, path: 'index.html' })).toBe('pages 3')
  expect(await readSiteText(ownerId, 'pages', { version: 3, path: 'same.css' })).toBe('same')
})

test('the store is walked through once a day, by one process, and goes on where it stopped', async () => {
  const first = unreferencedFiles({ days: 7 })
  expect((await first?.step())?.more).toBe(true)
  const { rows } = await mainPool().query(`SELECT cursor FROM retention WHERE name = 'files'`)
  expect(rows[0].cursor).toMatch(/^[0-9a-f]{32}/)
  await runRetentionTask(unreferencedFiles({ days: 7 }))
  expect(await runRetentionTask(unreferencedFiles({ days: 7 }))).toEqual({ deleted: 0, steps: 1 })
  await mainPool().query(`UPDATE retention SET started_at = now() - interval '25 hours' WHERE name = 'files'`)
  expect((await runRetentionTask(unreferencedFiles({ days: 7 }))).steps).toBeGreaterThan(1)
})
