import { AwsClient } from 'aws4fetch'
import { withoutTrailingSlashes } from '../kit/trailing-slashes'

type S3Request = RequestInit & { query?: Record<string, string> }

/** A page of what is below a bucket's prefix: the objects, and with a delimiter the folders. */
type S3Page = {
  objects: { name: string; at: Date }[]
  /** Without their slash. */
  folders: string[]
  /** Continues the list; null at its end. */
  next: string | null
}

/** Signed requests to an S3 bucket. Names are below the prefix of its location. */
export type S3Bucket = {
  /** Host, bucket and prefix: for people, without credentials. */
  label: string
  /** Sends a request about an object. Throws where S3 cannot be reached; any answer is returned. */
  send: (name: string, request: S3Request) => Promise<Response>
  /** What is below `folder`, which ends in a slash or is empty. Throws unless S3 lists it. */
  list: (folder: string, query: Record<string, string>, init?: RequestInit) => Promise<S3Page>
}

/**
 * Opens `s3://<access key>:<secret>@<host>[:port]/<bucket>[/<prefix>]?region=<region>`;
 * `&tls=false` speaks plain http. Key and secret are percent-encoded where they hold `/`, `@` or
 * `:`.
 */
export function openBucket(location: string): S3Bucket {
  const url = new URL(location)
  const aws = new AwsClient({
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    service: 's3',
    region: url.searchParams.get('region') ?? 'us-east-1',
    retries: 2,
  })
  const root = `${url.searchParams.get('tls') === 'false' ? 'http' : 'https'}://${url.host}`
  const [bucket = '', ...folders] = url.pathname.split('/').filter(Boolean)
  const prefix = folders.map((folder) => `${decodeURIComponent(folder)}/`).join('')
  const base = `${root}${withoutTrailingSlashes(url.pathname)}`
  return {
    label: `${url.host}${withoutTrailingSlashes(url.pathname)}`,
    send: (name, { query, ...init }) => {
      const search = query ? `?${new URLSearchParams(query)}` : ''
      return aws.fetch(`${base}/${name}${search}`, init)
    },
    list: async (folder, query, init) => {
      const search = new URLSearchParams({ 'list-type': '2', prefix: prefix + folder, ...startAfter(query, prefix) })
      const res = await aws.fetch(`${root}/${bucket}?${search}`, { ...init, method: 'GET' })
      const answer = await res.text()
      if (!res.ok) throw new Error(`S3 answered a list with ${res.status}: ${answer.slice(0, 500)}`)
      return pageOf(answer, prefix.length)
    },
  }
}

const startAfter = (query: Record<string, string>, prefix: string): Record<string, string> => {
  const after = query['start-after']
  return after === undefined ? query : { ...query, 'start-after': prefix + after }
}

/** A ListObjectsV2 answer. The names are ours and need no decoding. */
function pageOf(xml: string, skipped: number): S3Page {
  const objects = xml
    .split('<Contents>')
    .slice(1)
    .flatMap((entry) => {
      const name = /<Key>([^<]+)<\/Key>/.exec(entry)?.[1]
      const at = /<LastModified>([^<]+)<\/LastModified>/.exec(entry)?.[1]
      return name && at ? [{ name: name.slice(skipped), at: new Date(at) }] : []
    })
  const folders = [...xml.matchAll(/<CommonPrefixes>\s*<Prefix>([^<]+)\/<\/Prefix>/g)].map(([, name = '']) =>
    name.slice(skipped),
  )
  const next = /<NextContinuationToken>([^<]+)</.exec(xml)?.[1] ?? null
  return { objects, folders, next }
}
