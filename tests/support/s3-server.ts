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
  stop: () => Promise<void>
}

const ACCESS = { accessKey: 'AK', secret: 'a-secret-for-tests' }

/** Serves an S3 bucket from memory, over plain http. Every signature is checked. */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, { body: Buffer; at: Date }>()
  const server = createServer(async (req, res) => {
    const body = await buffer(req)
    const { port } = server.address() as AddressInfo
    const key = req.url ?? ''
    if (!(await isSignedForS3(req, body, { port, ...ACCESS })))
      return res.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>')
    if (req.method === 'PUT') {
      objects.set(key, { body, at: new Date() })
      return res.end()
    }
    if (key.includes('?')) return res.end('<ListBucketResult><KeyCount>0</KeyCount></ListBucketResult>')
    const found = objects.get(key)
    if (!found) return res.writeHead(404).end('<Code>NoSuchKey</Code>')
    res.setHeader('last-modified', found.at.toUTCString())
    if (req.method === 'HEAD') return res.end()
    if (req.method === 'DELETE') return res.writeHead(objects.delete(key) ? 204 : 404).end()
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? []
    if (start && end) return res.writeHead(206).end(found.body.subarray(Number(start), Number(end) + 1))
    return res.end(found.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    storageUrl: `s3://${ACCESS.accessKey}:${ACCESS.secret}@127.0.0.1:${port}/tollgate?tls=false`,
    keys: () => [...objects.keys()],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
