import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { AwsV4Signer } from 'aws4fetch'

type S3Credentials = { port: number; accessKey: string; secret: string }

/** Recomputes the signature of a request as S3 would, from what came over the wire. */
export async function isSignedForS3(
  req: IncomingMessage,
  body: Uint8Array | string,
  { port, accessKey, secret }: S3Credentials,
): Promise<boolean> {
  const given = String(req.headers.authorization)
  const [, key = '', day, region, service] =
    /Credential=([^/]+)\/(\d+)\/([^/]+)\/([^/]+)\/aws4_request/.exec(given) ?? []
  const datetime = String(req.headers['x-amz-date'])
  if (key !== accessKey || service !== 's3' || !datetime.startsWith(String(day))) return false
  const headers = { 'x-amz-content-sha256': String(req.headers['x-amz-content-sha256']) }
  const url = `http://127.0.0.1:${port}${req.url}`
  const payload = typeof body === 'string' ? body : Buffer.from(body)
  const init = { method: req.method ?? '', url, headers, body: payload, datetime, region, service }
  const signer = new AwsV4Signer({ ...init, accessKeyId: accessKey, secretAccessKey: secret })
  return (await signer.sign()).headers.get('authorization') === given
}

/** A bucket in memory. */
export type S3Server = {
  /** For STORAGE_URL. */
  storageUrl: string
  /** The keys of its objects. */
  keys: () => string[]
  /** Fails requests for which this returns true: the connection is cut. */
  cutOff: (isCut: (method: string, key: string) => boolean) => void
  /** Deletes or damages an object; null: deletes it. */
  put: (key: string, body: Buffer | null) => void
  stop: () => Promise<void>
}

type Objects = Map<string, { body: Buffer; at: Date }>

const ACCESS = { accessKey: 'AK', secret: 'a-secret-for-tests' }
const BUCKET = '/tollgate'

/** A ListObjectsV2 answer, three entries a page. */
function listOf(objects: Objects, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? ''
  const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
  const entries = new Map<string, string>()
  for (const key of [...objects.keys()].sort()) {
    const name = key.slice(BUCKET.length + 1)
    if (!name.startsWith(prefix)) continue
    const folder = query.has('delimiter') && name.slice(prefix.length).split('/').length > 1
    const entry = folder ? `${prefix}${name.slice(prefix.length).split('/')[0]}/` : name
    if (entry <= after) continue
    const at = objects.get(key)?.at.toISOString()
    const xml = `<Contents><Key>${name}</Key><LastModified>${at}</LastModified></Contents>`
    entries.set(entry, folder ? `<CommonPrefixes><Prefix>${entry}</Prefix></CommonPrefixes>` : xml)
  }
  const page = [...entries].slice(0, 3)
  const token = entries.size > 3 ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : ''
  return `<ListBucketResult>${page.map(([, xml]) => xml).join('')}${token}</ListBucketResult>`
}

/** Uploads in parts: begun, and put together where the tags are those that were given out. */
function makeUploads(objects: Objects) {
  const uploads = new Map<string, Buffer[]>()
  return (method: string, key: string, { query, body }: { query: URLSearchParams; body: Buffer }) => {
    const id = query.get('uploadId') ?? ''
    if (query.has('uploads')) {
      uploads.set(`u${uploads.size}`, [])
      return { xml: `<UploadId>u${uploads.size - 1}</UploadId>` }
    }
    const parts = uploads.get(id)
    if (!parts) return null
    const number = Number(query.get('partNumber'))
    if (method === 'PUT') parts[number - 1] = body
    if (method === 'PUT') return { xml: '', etag: `"${id}-${number}"` }
    uploads.delete(id)
    if (method === 'DELETE') return { xml: '' }
    const tags = [...body.toString().matchAll(/<ETag>([^<]+)</g)].map(([, tag]) => tag)
    if (tags.join() !== parts.map((_, i) => `"${id}-${i + 1}"`).join()) return { xml: '<Error/>' }
    objects.set(key, { body: Buffer.concat(parts), at: new Date() })
    return { xml: '<CompleteMultipartUploadResult/>' }
  }
}

/** Serves an S3 bucket from memory, over plain http. Every signature is checked. */
export async function startS3Server(): Promise<S3Server> {
  const objects: Objects = new Map()
  const upload = makeUploads(objects)
  let isCut = (_method: string, _key: string) => false
  const server = createServer(async (req, res) => {
    const body = await buffer(req)
    const { port } = server.address() as AddressInfo
    const { method = '', url = '' } = req
    const { pathname: key, searchParams: query } = new URL(url, 'http://s3')
    if (isCut(method, key)) return res.destroy()
    if (!(await isSignedForS3(req, body, { port, ...ACCESS })))
      return res.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>')
    if (query.has('uploads') || query.has('uploadId')) {
      const answer = upload(method, key, { query, body })
      if (answer?.etag) res.setHeader('etag', answer.etag)
      return answer ? res.end(answer.xml) : res.writeHead(404).end('<Code>NoSuchUpload</Code>')
    }
    if (method === 'PUT') {
      objects.set(key, { body, at: new Date() })
      return res.end()
    }
    if (query.has('list-type')) return res.end(listOf(objects, query))
    const found = objects.get(key)
    if (!found) return res.writeHead(404).end('<Code>NoSuchKey</Code>')
    res.setHeader('last-modified', found.at.toUTCString())
    if (method === 'HEAD') return res.end()
    if (method === 'DELETE') return res.writeHead(objects.delete(key) ? 204 : 404).end()
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? []
    if (start && end) return res.writeHead(206).end(found.body.subarray(Number(start), Number(end) + 1))
    return res.end(found.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    storageUrl: `s3://${ACCESS.accessKey}:${ACCESS.secret}@127.0.0.1:${port}${BUCKET}?tls=false`,
    keys: () => [...objects.keys()],
    cutOff: (next) => {
      isCut = next
    },
    put: (key, body) => void (body ? objects.set(key, { body, at: new Date() }) : objects.delete(key)),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
