import { app } from './apps'
import { frames } from './frames'
import type { Inner, Mark, SavedPage } from './kit'
import { article, blog, docs, faq, forum } from './texts'
import { landing, listing, product, productList, recipe, table } from './things'

const KINDS: Record<string, Inner[]> = {
  article,
  blog,
  docs,
  product,
  'product list': productList,
  forum,
  recipe,
  table,
  landing,
  FAQ: faq,
  listing,
  app,
}

/**
 * 60 pages of 12 kinds, five of each: every content in mark-up of its own, in one of five ways of
 * building what surrounds it. `turn` gives each another of those ways.
 */
export const savedPages = (turn = 0): SavedPage[] =>
  Object.entries(KINDS).flatMap(([kind, inners], k) =>
    inners.map((inner, variant) => {
      const must: string[] = []
      const junk: string[] = []
      const into =
        (list: string[]): Mark =>
        (text) => {
          list.push(text)
          return text
        }
      const {
        title,
        body,
        head = '',
        scripts = '',
        files = {},
      } = inner(into(must), into(junk), k * 50 + variant * 10 + 1)
      const frame = frames[(variant + turn) % frames.length]
      const html = frame?.({ title, body, head, scripts, j: into(junk) }) ?? ''
      const own = must.map((text) => text.replace(/<[^>]+>/g, ''))
      return { kind, path: `/saved/${k}/${variant}`, html, must: own, junk, files }
    }),
  )
