import { AwsClient } from 'aws4fetch'
import { AppError } from '../errors'
import type { Store } from './shape'

const TIMEOUT_MS = 30_000

/**
 * Keeps files in an S3 bucket, addressed by path, from
 * `s3://<access key>:<secret>@<host>[:port]/<bucket>[/<prefix>]?region=<region>`; `&tls=false` speaks plain http.
 * Key and secret are percent-encoded where they hold `/`, `@` or `:`.
 */
export function s3Store(location: string): Store {
  const url = new URL(location)
  const aws = new AwsClient({
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    service: 's3',
    region: url.searchParams.get('region') ?? 'us-east-1',
    retries: 2,
  })
  const scheme = url.searchParams.get('tls') === 'false' ? 'http' : 'https'
  const base = `${scheme}://${url.host}${url.pathname.replace(/\/+$/, '')}`
  const send = async (id: string, init: RequestInit) => {
    try {
      return await aws.fetch(`${base}/${id}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
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
  }
}

const unavailable = (cause: unknown): AppError =>
  new AppError('unavailable', 'The file storage cannot be reached. Try again in a moment.', { retryAfter: 5, cause })
