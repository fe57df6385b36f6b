import { AppError } from '../errors'
import { openBucket } from './s3-bucket'
import type { FileStore } from './shape'

const TIMEOUT_MS = 30_000

/** Keeps files in an S3 bucket, addressed by path; `openBucket` says what a location is. */
export function s3Store(location: string): FileStore {
  const bucket = openBucket(location)
  const limits = () => ({ signal: AbortSignal.timeout(TIMEOUT_MS) })
  const send = (id: string, init: RequestInit) =>
    bucket.send(id, { ...init, ...limits() }).catch((cause: unknown) => {
      throw unavailable(cause)
    })
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
    list: (after) =>
      bucket.list('', { 'max-keys': '500', 'start-after': after }, limits()).then(
        ({ objects }) => objects,
        (cause: unknown) => {
          throw unavailable(cause)
        },
      ),
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

const unavailable = (cause: unknown): AppError =>
  new AppError('unavailable', 'The file storage cannot be reached. Try again in a moment.', { retryAfter: 5, cause })
