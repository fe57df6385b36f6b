import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import pLimit from 'p-limit'
import { z } from 'zod'
import type { FileStore } from '../../files/shape'
import { CliError } from '../kit/project'
import type { Manifest } from './manifest'
import type { BackupPlace } from './place'
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
const pathOf = (name: string) => `files/${name.slice(0, 2)}/${name}`

/**
 * Copies every file that the snapshot refers to into a backup. Files never change, and their bytes
 * are stored before their row: whatever the snapshot names is there, unless it was deleted since.
 * Those are counted as missing.
 */
export async function backUpFiles(
  snapshot: Snapshot,
  store: FileStore,
  { place, progress }: { place: BackupPlace; progress: Progress },
): Promise<NonNullable<Manifest['files']>> {
  const hash = createHash('sha256')
  const sum = { count: 0, missing: 0, totalBytes: 0, bytes: 0 }
  async function* copyAll(): AsyncGenerator<Buffer> {
    for await (const line of copyOutAll(snapshot, store, place)) {
      if (line === null) {
        sum.missing++
        continue
      }
      const text = Buffer.from(`${JSON.stringify(line)}\n`)
      hash.update(text)
      sum.count++
      sum.totalBytes += line.bytes
      sum.bytes += text.byteLength
      progress(`  files: ${sum.count}, ${readableBytes(sum.totalBytes)}`)
      yield text
    }
  }
  await place.write(INDEX, copyAll())
  return { file: INDEX, sha256: hash.digest('hex'), ...sum }
}

/** Copies file by file; null for one that is missing. */
async function* copyOutAll(snapshot: Snapshot, store: FileStore, place: BackupPlace): AsyncGenerator<IndexLine | null> {
  const limit = pLimit(CONCURRENCY)
  for (let last = ''; ; ) {
    const { rows } = await snapshot.query<{ name: string; type: string }>(REFERRED, [last])
    yield* await Promise.all(rows.map(({ name, type }) => limit(() => copyOut(store, { place, name, type }))))
    const lastName = rows.at(-1)?.name
    if (rows.length < PAGE || lastName === undefined) return
    last = lastName
  }
}

type Copied = { place: BackupPlace; name: string; type: string }

async function copyOut(store: FileStore, { place, name, type }: Copied): Promise<IndexLine | null> {
  const stream = await store.get(name)
  if (stream === null) return null
  const bytes = Buffer.from(await new Response(stream).arrayBuffer())
  await place.write(pathOf(name), Readable.from([bytes]))
  return { name, bytes: bytes.byteLength, sha256: sha256Of(bytes), contentType: type }
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

async function eachLine(place: BackupPlace, work: (line: IndexLine) => Promise<void>): Promise<void> {
  const input = (await place.read(INDEX)) ?? Readable.from([])
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
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

async function readChecked(place: BackupPlace, { name, sha256 }: IndexLine): Promise<Buffer> {
  const stream = await place.read(pathOf(name))
  const bytes = stream && (await buffer(stream))
  if (bytes === null) throw new CliError(`The backup is damaged: file ${name} is missing. Use another backup.`)
  if (sha256Of(bytes) === sha256) return bytes
  throw new CliError(`The backup is damaged: file ${name} is not as it was written. Use another backup.`)
}

/** Throws a CliError unless every file of a backup is as it was written. */
export async function checkFiles(place: BackupPlace, files: Manifest['files'], progress: Progress): Promise<void> {
  if (files === null) return
  await checkPart(place, files)
  let checked = 0
  await eachLine(place, async (line) => {
    await readChecked(place, line)
    checked++
    progress(`  checking files: ${checked} of ${files.count}`)
  })
}

/** Puts every file of a backup into a storage, over what is there. */
export async function restoreFiles(
  store: FileStore,
  files: Manifest['files'],
  { place, progress }: { place: BackupPlace; progress: Progress },
): Promise<void> {
  if (files === null) return
  let stored = 0
  await eachLine(place, async (line) => {
    await store.put(line.name, await readChecked(place, line), line.contentType)
    stored++
    progress(`  files: ${stored} of ${files.count}`)
  })
}
