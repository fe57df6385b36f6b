import { z } from 'zod'
import { AppError } from '../../errors'
import type { ToolContext } from '../define'
import { lenientInteger } from '../provider-fields'
import { fetchProperty } from './client'
import { type PropertyQuery, toListRequest } from './search-params'
import { PropertyListing, type PropertySearchRow, toPropertySearchRow } from './search-row'

/** The vendor gives no more on a page, and ignores what is above. */
const PAGE_SIZE = 40
/** A plan may cut pages shorter than asked; no call takes more pages than this. */
const MOST_PAGES = 24
/** Time after which no further page is begun, so that what is there goes out inside the tool's 60 s. */
const BEGIN_WITHIN_MS = 48_000

const Page = z.object({ elementList: z.array(PropertyListing), total: lenientInteger, totalPages: lenientInteger })
type Page = z.output<typeof Page>

export type PropertySearchResult = {
  rows: z.output<typeof PropertySearchRow>[]
  total: number | null
  /** Page to go on with, or null at the end. */
  nextPage: number | null
  /** Why it ended before maxResults although there is more; null when it did not. */
  stopped: string | null
}

/**
 * Pages of a search, one after the other, joined without repeats until `maxResults`. Throws `upstream_error` when the
 * first page fails. When a later one fails, or time runs short, what is there is the answer: `nextPage` is the page to go
 * on with and `stopped` says why. A page that was used in part is the next page too, so rows repeat but are never lost.
 */
export async function searchPropertyPages(
  context: ToolContext,
  input: PropertyQuery,
  beginWithinMs = BEGIN_WITHIN_MS,
): Promise<PropertySearchResult> {
  const { maxResults, startPage } = input
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
    if (read === MOST_PAGES) return end(number, 'Pages came shorter than asked.')
    if (read > 0 && performance.now() - started > beginWithinMs) {
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
    const room = maxResults - before
    for (const ad of fresh.slice(0, room)) rows.set(ad.propertyCode, toPropertySearchRow(ad))

    // An empty page, or one that only repeats, is the end, whatever the total says.
    const isEnd = rows.size === before || number >= (page.totalPages || Number.POSITIVE_INFINITY)
    if (fresh.length > room) return end(number)
    if (isEnd) return end(null)
    if (rows.size >= maxResults) return end(number + 1)
  }
}

const fetchPage = (context: ToolContext, input: PropertyQuery, page: { number: number; size: number }): Promise<Page> =>
  fetchProperty(
    context,
    { ...toListRequest(input, page), missing: `Check locationId and locationName: ${input.locationId} may not exist.` },
    Page,
  )
