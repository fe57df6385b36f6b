import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBucket, type S3Bucket } from '../../files/s3-bucket'
import { CliError } from '../kit/project'
import { MANIFEST } from './manifest'
import type { BackupPlace } from './place'
import { type SendToBucket, uploadFile } from './upload-file'

/** For a request with up to one part of a file. */
const REQUEST_MS = 120_000
const ATTEMPTS = 3

/** A prefix of a bucket as a place for backups. */
export function bucketPlace(location: string): BackupPlace {
  const bucket = openBucket(location)
  const send: SendToBucket = (name, request) =>
    attempt(bucket, async () => {
      const res = await bucket.send(name, { ...request, signal: AbortSignal.timeout(REQUEST_MS) })
      if (res.ok || (res.status === 404 && request.method !== 'PUT')) return res
      throw new CliError(`${bucket.label}: S3 answered ${request.method} with ${res.status}: ${await errorOf(res)}`)
    })
  const place: BackupPlace = {
    label: bucket.label,
    draftSuffix: '',
    in: (name) => bucketPlace(below(location, name)),
    names: () => foldersIn(bucket),
    write: (file, source) => uploadFile(send, file, source),
    read: async (file) => {
      // Without a limit in all: a table takes as long as it takes.
      const res = await attempt(bucket, () => bucket.send(file, { method: 'GET' }))
      if (res.ok && res.body) return Readable.fromWeb(res.body as ReadableStream)
      const why = await errorOf(res)
      if (res.status === 404) return null
      throw new CliError(`${bucket.label}: S3 answered GET with ${res.status}: ${why}`)
    },
    begin: async () => {
      const { objects } = await attempt(bucket, () => bucket.list('', { 'max-keys': '1' }))
      if (objects.length > 0) throw new CliError(`${bucket.label} is not empty: name a new prefix.`)
      return { place, complete: () => {}, discard: place.remove }
    },
    remove: async () => {
      await send(MANIFEST, { method: 'DELETE' })
      for (let last = ''; ; ) {
        const { objects } = await attempt(bucket, () => bucket.list('', { 'start-after': last }))
        for (const { name } of objects) await send(name, { method: 'DELETE' })
        const lastName = objects.at(-1)?.name
        if (lastName === undefined) return
        last = lastName
      }
    },
  }
  return place
}

function below(location: string, name: string): string {
  const url = new URL(location)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${name}`
  return url.href
}

async function foldersIn(bucket: S3Bucket): Promise<string[]> {
  let found: string[] = []
  const query: Record<string, string> = { delimiter: '/' }
  for (;;) {
    const { folders, next } = await attempt(bucket, () => bucket.list('', query))
    found = [...found, ...folders]
    if (next === null) return found.sort()
    query['continuation-token'] = next
  }
}

/** What S3 says is wrong, in its own short code. */
async function errorOf(res: Response): Promise<string> {
  const text = await res.text()
  return /<Code>([^<]+)<\/Code>/.exec(text)?.[1] ?? text.slice(0, 200)
}

/** Tries again where the connection failed: a long backup outlives a moment without network. */
async function attempt<T>({ label }: S3Bucket, work: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof CliError) throw error
      const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
      const why = code ?? message
      if (n === ATTEMPTS) throw new CliError(`${label} cannot be used: ${why}.`)
      await sleep(n * 500)
    }
  }
}
