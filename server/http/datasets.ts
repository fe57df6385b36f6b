import type { DownloadedDataset } from '../api/public/datasets'
import { AppError } from '../errors'
import { type Exchange, type Handler, makeHandler, pathOf, READ_METHODS } from './handler'
import { callProcedure } from './procedure'
import { restHandler } from './rest'

const TYPES: Record<DownloadedDataset['format'], string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** The dataset in a request's path. Throws `invalid_request` for one that cannot be decoded. */
function nameIn(req: Request): string {
  try {
    return decodeURIComponent(pathOf(req.url).replace(/^.*\//, ''))
  } catch {
    throw new AppError('invalid_request', 'The path is not valid.')
  }
}

/** Bytes as a stream that reads the next piece on demand. */
const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new Blob([new Uint8Array(bytes)]).stream()

/**
 * The body and how it is encoded. CSV is gzipped already: it goes out so to a client that takes it,
 * else it is unpacked as the client reads.
 */
function bodyOf(
  { format, bytes }: DownloadedDataset,
  accepts: string,
): { body: BodyInit; headers: Record<string, string> } {
  const whole = { 'content-length': String(bytes.byteLength) }
  if (format === 'xlsx') return { body: streamOf(bytes), headers: whole }
  const vary = { vary: 'accept-encoding' }
  if (/\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/i.test(accepts))
    return { body: streamOf(bytes), headers: { ...vary, ...whole, 'content-encoding': 'gzip' } }
  return { body: streamOf(bytes).pipeThrough(new DecompressionStream('gzip')), headers: vary }
}

async function sendDataset(exchange: Exchange, path: string, via: 'key' | 'session'): Promise<Response> {
  const { req, headers } = exchange
  const readInput = async () => ({ value: { ...Object.fromEntries(new URL(req.url).searchParams), name: nameIn(req) } })
  const download = (await callProcedure(exchange, path, { type: 'query', via, readInput })) as DownloadedDataset
  // Next compresses what it serves, and would do so once more to what is compressed here.
  const accepts = via === 'session' ? '' : (req.headers.get('accept-encoding') ?? '')
  const encoded = bodyOf(download, accepts)
  return new Response(encoded.body, {
    headers: {
      ...headers(),
      'content-type': TYPES[download.format],
      'content-disposition': `attachment; filename="${download.name}.${download.format}"`,
      'x-content-type-options': 'nosniff',
      ...encoded.headers,
    },
  })
}

/** What can be done with a dataset beside reading it, as with other things of the REST API. */
const CHANGES = ['PATCH', 'DELETE']

const downloadHandler = makeHandler('dataset', (exchange) => sendDataset(exchange, 'public.datasets.download', 'key'), {
  methods: [...READ_METHODS, ...CHANGES],
})

/** `/api/v1/datasets/{name}`: an owner's dataset as a file, for a key, which may change it too. */
export const datasetHandler: Handler = (req) => (CHANGES.includes(req.method) ? restHandler : downloadHandler)(req)

/** `/datasets/{name}`: the same for the signed-in owner, at the dashboard. */
export const ownDatasetHandler = makeHandler(
  'own-dataset',
  (exchange) => sendDataset(exchange, 'datasets.download', 'session'),
  { methods: READ_METHODS },
)
