import type { z } from 'zod'
import { invalidRequest } from '../errors'
import type { CsvTable } from '../kit/csv-table'
import { streamOfTexts } from './piece-stream'

/**
 * The filters in a download's URL, as its page has them: an empty parameter is absent. Throws
 * `invalid_request`.
 */
export function readUrlFilter<S extends z.ZodType>(url: string, schema: S): z.output<S> {
  const given = Object.fromEntries([...new URL(url).searchParams].filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  return parsed.data
}

type CsvDownload<P, T> = {
  /** The file's name before its date. */
  name: string
  /** In the file's name; today by default. */
  period?: string
  requestId: string
  table: CsvTable<T>
  /** A page of the list: the first, or the one of a cursor. */
  list: (cursor?: string) => Promise<P>
  rowsOf: (page: P) => readonly T[]
}

/**
 * A list as a CSV file, page by page: each is fetched when the one before was read. A failure of
 * the first is an error response; a later one aborts the download, so that it is noticed.
 */
export async function csvDownload<P extends { nextCursor: string | null }, T>({
  name,
  period = new Date().toISOString().slice(0, 10),
  requestId,
  table,
  list,
  rowsOf,
}: CsvDownload<P, T>): Promise<Response> {
  const first = await list()
  const pages = async function* () {
    yield table.header()
    for (let page = first; ; page = await list(page.nextCursor)) {
      yield table.lines(rowsOf(page))
      if (page.nextCursor === null) return
    }
  }
  return new Response(streamOfTexts(pages()), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}-${period}.csv"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    },
  })
}
