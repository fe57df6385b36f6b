import { AwsClient } from 'aws4fetch'
import { AppError } from '../errors'
import { withoutTrailingSlashes } from '../kit/trailing-slashes'
import type { FileStore, StoredObject } from './shape'

const TIMEOUT_MS = 30_000

/**
 * Keeps files in an S3 bucket, addressed by path, from `s3://<access
 * key>:<secret>@<host>[:port]/<bucket>[/<prefix>]?region=<region>`; `&tls=false` speaks plain http.
 * Key and secret are percent-encoded where they hold `/`, `@` or `:`.
 */
export function s3Store(location: string): FileStore {
  const url = new URL(location)
  const aws = new AwsClient({
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    service: 's3',
    region: url.searchParams.get('region') ?? 'us-east-1',
    retries: 2,
  })
  const scheme = url.searchParams.get('tls') === 'false' ? 'http' : 'https'
  const root = `${scheme}://${url.host}`
  const [bucket = '', ...folders] = url.pathname.split('/').filter(Boolean)
  const prefix = folders.map((folder) => `${decodeURIComponent(folder)}/`).join('')
  const base = `${root}${withoutTrailingSlashes(url.pathname)}`
  const send = async (id: string, init: RequestInit) => sendTo(`${base}/${id}`, init)
  const sendTo = async (address: string, init: RequestInit) => {
    try {
      return await aws.fetch(address, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    } catch (cause) {
      throw unavailable(cause)
    }
  }
  return {
    put: async (id, bytes, contentType) => {
      const res = await send(id, { method: 'PUT', body: Buffer.from(bytes), headers: { 'content-type': contentType } })
      const answer = await res.text()
      if (!res.ok) throw unavailable(new Error(`S3 answered PUT with ${res.status}: ${answer.slice(0, 500)}`))
    },
    get: async (id, range) => {
      const headers = range && { range: `bytes=${range.start}-${range.end}` }
      const res = await send(id, { method: 'GET', headers })
      if (res.status === 404) {
        await res.body?.cancel()
        return null
      }
      if (!res.ok)
        throw unavailable(new Error(`S3 answered GET with ${res.status}: ${(await res.text()).slice(0, 500)}`))
      // The whole file where a part was asked for would be sent on under the wrong length.
      if (range && res.status !== 206) {
        await res.body?.cancel()
        throw unavailable(new Error(`S3 answered a GET of bytes ${range.start} to ${range.end} with ${res.status}`))
      }
      return res.body
    },
    list: async (after) => {
      const query = new URLSearchParams({ 'list-type': '2', 'max-keys': '500', prefix, 'start-after': prefix + after })
      const res = await sendTo(`${root}/${bucket}?${query}`, { method: 'GET' })
      const answer = await res.text()
      if (!res.ok) throw unavailable(new Error(`S3 answered a list with ${res.status}: ${answer.slice(0, 500)}`))
      return listed(answer).map(({ name, at }) => ({ name: name.slice(prefix.length), at }))
    },
    remove: async ({ name, at }) => {
      const head = await send(name, { method: 'HEAD' })
      if (head.status === 404) return false
      if (!head.ok) throw unavailable(new Error(`S3 answered HEAD with ${head.status}`))
      // Whole seconds in the header, thousandths in the list.
      if (Date.parse(head.headers.get('last-modified') ?? '') > at.getTime()) return false
      const res = await send(name, { method: 'DELETE' })
      const answer = await res.text()
      if (!res.ok) throw unavailable(new Error(`S3 answered DELETE with ${res.status}: ${answer.slice(0, 500)}`))
      return true
    },
  }
}

/** The objects of a ListObjectsV2 answer, whose names are ours and need no decoding. */
const listed = (xml: string): StoredObject[] =>
  xml
    .split('<Contents>')
    .slice(1)
    .flatMap((entry) => {
      const name = /<Key>([^<]+)<\/Key>/.exec(entry)?.[1]
      const at = /<LastModified>([^<]+)<\/LastModified>/.exec(entry)?.[1]
      return name && at ? [{ name, at: new Date(at) }] : []
    })

const unavailable = (cause: unknown): AppError =>
  new AppError('unavailable', 'The file storage cannot be reached. Try again in a moment.', { retryAfter: 5, cause })
