import { z } from 'zod'
import { AppError } from '../../errors'
import { pageOf } from '../paging'
import type { ProviderContext } from '../provider'
import { lenientInteger } from '../provider-fields'
import { fetchProperty } from './client'
import { type PropertyQuery, toListRequest } from './search-params'
import { PropertyListing, type PropertySearchRow, toPropertySearchRow } from './search-row'

/** The provider's maximum; it ignores a larger value. */
const PAGE_SIZE = 40
/** Some plans return shorter pages than requested; no call takes more pages than this. */
const MAX_PAGES = 24
/** After this time no further page is requested, so that the call ends within the tool's 60 s. */
const LAST_START_MS = 48_000

const Page = z.object({ elementList: z.array(PropertyListing), total: lenientInteger, totalPages: lenientInteger })
type Page = z.output<typeof Page>

export type PropertySearchResult = {
  rows: z.output<typeof PropertySearchRow>[]
  total: number | null
  /** The page to continue with; null at the end. */
  nextPage: number | null
  /** Why it stopped before maxResults although there is more; null when it did not. */
  stopped: string | null
}

/**
 * The pages of a search, one after the other, joined without duplicates until `maxResults`. Throws
 * `upstream_error` when the first page fails. When a later one fails, or time runs out, it returns
 * the rows so far: `nextPage` is the page to continue with, and `stopped` says why. A page that was
 * used in part is the next page too, so rows may repeat, but none is lost.
 */
export async function searchPropertyPages(
  context: ProviderContext,
  input: PropertyQuery,
  lastStartMs = LAST_START_MS,
): Promise<PropertySearchResult> {
  const { maxResults, cursor } = input
  const startPage = pageOf(cursor, input.startPage)
  const size = Math.min(PAGE_SIZE, maxResults)
  const started = performance.now()
  const rows = new Map<string, z.output<typeof PropertySearchRow>>()
  let total: number | null = null
  let number = startPage
  const end = (nextPage: number | null, stopped: string | null = null): PropertySearchResult => ({
    rows: [...rows.values()],
    total,
    nextPage,
    stopped,
  })

  for (; ; number++) {
    const read = number - startPage
    if (read === MAX_PAGES) return end(number, 'Pages were shorter than requested.')
    if (read > 0 && performance.now() - started > lastStartMs) {
      return end(number, 'There was no time for further pages.')
    }
    const page = await fetchPage(context, input, { number, size }).catch((error: unknown) => {
      if (read === 0 || !(error instanceof AppError)) throw error
      return error.message
    })
    if (typeof page === 'string') return end(number, page)

    total = page.total ?? total
    const before = rows.size
    const fresh = page.elementList.filter((ad) => !rows.has(ad.propertyCode))
    const space = maxResults - before
    for (const ad of fresh.slice(0, space)) rows.set(ad.propertyCode, toPropertySearchRow(ad))

    // An empty page, or one with known rows only, is the end, whatever the total says.
    const isEnd = rows.size === before || number >= (page.totalPages || Number.POSITIVE_INFINITY)
    if (fresh.length > space) return end(number)
    if (isEnd) return end(null)
    if (rows.size >= maxResults) return end(number + 1)
  }
}

const fetchPage = (
  context: ProviderContext,
  input: PropertyQuery,
  page: { number: number; size: number },
): Promise<Page> =>
  fetchProperty(
    context,
    { ...toListRequest(input, page), missing: `Check locationId and locationName: ${input.locationId} may not exist.` },
    Page,
  )
