type SearchRequest = { search: string; offset: number; limit?: number | undefined }

/** Characters shown before and after a place in a text. */
const AROUND = 300

const sizeOf = (value: unknown): number => JSON.stringify(value ?? null).length

/** The first things that fit together, at least one where there is any. */
function takeFitting<T>(things: readonly T[], maxChars: number): T[] {
  let used = 0
  const end = things.findIndex((thing) => {
    used += sizeOf(thing) + 1
    return used > maxChars
  })
  return end < 0 ? [...things] : things.slice(0, Math.max(1, end))
}

/** The items of a list that contain a text, each with its index. */
export function searchList(list: readonly unknown[], { search, offset, limit }: SearchRequest, maxChars: number) {
  const wanted = search.toLowerCase()
  const found = list
    .map((row, index) => ({ index, row }))
    .filter(({ row }) => (typeof row === 'string' ? row : JSON.stringify(row)).toLowerCase().includes(wanted))
  const from = found.filter(({ index }) => index >= offset)
  const rows = takeFitting(from.slice(0, limit), maxChars).map((one) =>
    sizeOf(one) > maxChars
      ? {
          index: one.index,
          row: JSON.stringify(one.row)
            .slice(0, maxChars / 2)
            .toWellFormed(),
        }
      : one,
  )
  const next = from[rows.length]
  return { total: list.length, matches: found.length, nextOffset: next?.index ?? null, rows }
}

/** The places of a text that contain another one, with what is around them. */
export function searchText(text: string, { search, offset, limit }: SearchRequest, maxChars: number) {
  const found = placesOf(text, search)
  const from = found.filter((at) => at >= offset)
  const places = from.slice(0, limit).map((at) => ({
    offset: at,
    text: text.slice(Math.max(0, at - AROUND), at + search.length + AROUND).toWellFormed(),
  }))
  const shown = takeFitting(places, maxChars)
  return { total: text.length, matches: found.length, nextOffset: from[shown.length] ?? null, places: shown }
}

/** Where a text contains another one; places that are shown with the one before are left out. */
function placesOf(text: string, search: string): number[] {
  const lower = text.toLowerCase()
  // A few letters change their length with their case: then only the same case is found.
  const [where, what] = lower.length === text.length ? [lower, search.toLowerCase()] : [text, search]
  const places: number[] = []
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + what.length + AROUND)) places.push(at)
  return places
}
