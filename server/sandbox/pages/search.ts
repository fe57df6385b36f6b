import { type SimulatedPage, simulatedPages } from './articles'

/**
 * All pages, best match first: every query finds something, so that no search is empty by accident.
 */
export function searchPages(query: string): SimulatedPage[] {
  const words = query.toLowerCase().split(/\W+/).filter(Boolean)
  const hits = (page: SimulatedPage) => {
    const text = `${page.title} ${page.summary} ${page.paragraphs.join(' ')}`.toLowerCase()
    return words.filter((word) => text.includes(word)).length
  }
  return [...simulatedPages].sort((a, b) => hits(b) - hits(a))
}
