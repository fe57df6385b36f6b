// The part of S3 that the service uses, without signatures: those have tests of their own.
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const objects = new Map()

const server = createServer(async (req, res) => {
  const body = await buffer(req)
  const key = req.url ?? ''
  if (req.method === 'PUT') {
    objects.set(key, body)
    return res.end()
  }
  if (key.includes('?')) return res.end('<ListBucketResult><KeyCount>0</KeyCount></ListBucketResult>')
  const found = objects.get(key)
  if (!found) return res.writeHead(404).end('<Code>NoSuchKey</Code>')
  if (req.method === 'DELETE') return res.writeHead(objects.delete(key) ? 204 : 404).end()
  return res.end(req.method === 'HEAD' ? undefined : found)
})
server.listen(7070)
process.on('SIGTERM', () => process.exit(0))
