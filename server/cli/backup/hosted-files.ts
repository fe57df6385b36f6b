import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pLimit from 'p-limit'
import { z } from 'zod'
import type { FileStore } from '../../files/shape'
import { CliError } from '../project'
import type { Manifest } from './manifest'
import { type Progress, readableBytes } from './progress'
import type { Snapshot } from './snapshot'
import { checkPart } from './write-part'

/** Files that are copied at the same time: most of the time is waiting for a storage. */
const CONCURRENCY = 8
const PAGE = 500

const IndexLine = z.object({
  name: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
  contentType: z.string(),
})
type IndexLine = z.infer<typeof IndexLine>

/** What the snapshot refers to: hosted files, and the files of every kept version of a site. */
const REFERRED = `SELECT DISTINCT ON (name) name, type FROM (
    SELECT id AS name, content_type AS type FROM file
    UNION ALL
    SELECT f->>'fileId', f->>'contentType' FROM site_version, jsonb_array_elements(files) AS f) AS referred
  WHERE name > $1 ORDER BY name LIMIT ${PAGE}`

const INDEX = 'files.ndjson'
const pathOf = (folder: string, name: string) => path.join(folder, 'files', name.slice(0, 2), name)

/**
 * Copies every file that the snapshot refers to into a backup. Files never change, and their bytes
 * are stored before their row: whatever the snapshot names is there, unless it was deleted since.
 * Those are counted as missing.
 */
export async function backUpFiles(
  snapshot: Snapshot,
  store: FileStore,
  { folder, progress }: { folder: string; progress: Progress },
): Promise<NonNullable<Manifest['files']>> {
  const index = createWriteStream(path.join(folder, INDEX), { mode: 0o600, flush: true })
  const ended = new Promise<void>((resolve, reject) => index.once('close', resolve).once('error', reject))
  ended.catch(() => {})
  const hash = createHash('sha256')
  const sum = { count: 0, missing: 0, totalBytes: 0, bytes: 0 }
  const limit = pLimit(CONCURRENCY)
  for (let last = ''; ; ) {
    const { rows } = await snapshot.query<{ name: string; type: string }>(REFERRED, [last])
    const lines = await Promise.all(rows.map(({ name, type }) => limit(() => copyOut(store, { folder, name, type }))))
    for (const line of lines) {
      if (line === null) sum.missing++
      else {
        const text = `${JSON.stringify(line)}\n`
        hash.update(text)
        index.write(text)
        sum.count++
        sum.totalBytes += line.bytes
        sum.bytes += Buffer.byteLength(text)
      }
    }
    progress(`  files: ${sum.count}, ${readableBytes(sum.totalBytes)}`)
    const lastName = rows.at(-1)?.name
    if (rows.length < PAGE || lastName === undefined) break
    last = lastName
  }
  index.end()
  await ended
  return { file: INDEX, sha256: hash.digest('hex'), ...sum }
}

type Copied = { folder: string; name: string; type: string }

async function copyOut(store: FileStore, { folder, name, type }: Copied): Promise<IndexLine | null> {
  const stream = await store.get(name)
  if (stream === null) return null
  const bytes = Buffer.from(await new Response(stream).arrayBuffer())
  const target = pathOf(folder, name)
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
  await writeFile(target, bytes, { mode: 0o600, flush: true })
  return { name, bytes: bytes.byteLength, sha256: sha256Of(bytes), contentType: type }
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

async function eachLine(folder: string, work: (line: IndexLine) => Promise<void>): Promise<void> {
  const lines = createInterface({
    input: createReadStream(path.join(folder, INDEX)),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  const limit = pLimit(CONCURRENCY)
  let batch: Promise<void>[] = []
  for await (const text of lines) {
    const line = IndexLine.parse(JSON.parse(text))
    batch.push(limit(() => work(line)))
    if (batch.length < PAGE) continue
    await Promise.all(batch)
    batch = []
  }
  await Promise.all(batch)
}

async function readChecked(folder: string, { name, sha256 }: IndexLine): Promise<Buffer> {
  const bytes = await readFile(pathOf(folder, name)).catch(() => null)
  if (bytes === null) throw new CliError(`The backup is damaged: file ${name} is missing. Use another backup.`)
  if (sha256Of(bytes) === sha256) return bytes
  throw new CliError(`The backup is damaged: file ${name} is not as it was written. Use another backup.`)
}

/** Throws a CliError unless every file of a backup is as it was written. */
export async function checkFiles(folder: string, files: Manifest['files'], progress: Progress): Promise<void> {
  if (files === null) return
  await checkPart(folder, files)
  let checked = 0
  await eachLine(folder, async (line) => {
    await readChecked(folder, line)
    checked++
    progress(`  checking files: ${checked} of ${files.count}`)
  })
}

/** Puts every file of a backup into a storage, over what is there. */
export async function restoreFiles(
  store: FileStore,
  files: Manifest['files'],
  { folder, progress }: { folder: string; progress: Progress },
): Promise<void> {
  if (files === null) return
  let stored = 0
  await eachLine(folder, async (line) => {
    await store.put(line.name, await readChecked(folder, line), line.contentType)
    stored++
    progress(`  files: ${stored} of ${files.count}`)
  })
}
