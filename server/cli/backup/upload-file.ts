import type { S3Bucket } from '../../files/s3-bucket'
import { CliError } from '../kit/project'

/** Sends a request about an object, again where the connection failed. Throws unless S3 did it. */
export type SendToBucket = S3Bucket['send']

type Bytes = Buffer<ArrayBuffer>

/** S3 takes at most 10,000 parts, so a file of up to 320 GB. */
const PART_BYTES = 32 * 1024 * 1024

/** Stores a file of any length in a bucket. It is there once it is whole. */
export async function uploadFile(
  send: SendToBucket,
  file: string,
  source: AsyncIterable<Buffer>,
  partBytes = PART_BYTES,
): Promise<void> {
  const parts = inParts(source, partBytes)
  const first = await parts.next()
  const second = first.done ? first : await parts.next()
  if (second.done) await send(file, { method: 'PUT', body: first.done ? Buffer.alloc(0) : first.value }).then(read)
  else await uploadParts(send, file, joined([first.value, second.value], parts))
}

const read = (res: Response): Promise<string> => res.text()

async function uploadParts(send: SendToBucket, file: string, parts: AsyncIterable<Bytes>): Promise<void> {
  const begun = await send(file, { method: 'POST', query: { uploads: '' } }).then(read)
  const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec(begun)?.[1]
  if (!uploadId) throw new CliError(`S3 did not begin an upload in parts: ${begun.slice(0, 200)}`)
  try {
    const tags: string[] = []
    for await (const body of parts) {
      const query = { partNumber: String(tags.length + 1), uploadId }
      const res = await send(file, { method: 'PUT', query, body })
      await read(res)
      tags.push(res.headers.get('etag') ?? '')
    }
    const list = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`).join('')
    const body = `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`
    const ended = await send(file, { method: 'POST', query: { uploadId }, body }).then(read)
    // S3 may begin its answer with 200 before it knows.
    if (/<Error>/.test(ended))
      throw new CliError(`S3 did not put the parts of ${file} together: ${ended.slice(0, 200)}`)
  } catch (error) {
    await send(file, { method: 'DELETE', query: { uploadId } }).catch(() => {})
    throw error
  }
}

async function* joined(first: readonly Bytes[], rest: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  yield* first
  yield* rest
}

/** Parts of the same size but for the last: some servers insist on that. */
async function* inParts(source: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Bytes> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes < partBytes) continue
    let rest = Buffer.concat(chunks)
    for (; rest.byteLength >= partBytes; rest = rest.subarray(partBytes)) yield rest.subarray(0, partBytes)
    chunks = [rest]
    bytes = rest.byteLength
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}
