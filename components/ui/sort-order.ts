export type SortOrder = 'asc' | 'desc'

/** A list's order in its URL: `?sort=spent&order=desc`. */
export type Sort = { column: string; order: SortOrder }

/** The order that a click on a column's name asks for: that column, or the other way round. */
export const nextSort = (now: Sort | null, column: string, first: SortOrder): Sort => ({
  column,
  order: now?.column === column ? (now.order === 'asc' ? 'desc' : 'asc') : first,
})

/** The order that a URL names, or the list's own. */
export const sortOfUrl = (params: URLSearchParams, initial: Sort | null): Sort | null => {
  const column = params.get('sort')
  return column ? { column, order: params.get('order') === 'asc' ? 'asc' : 'desc' } : initial
}
