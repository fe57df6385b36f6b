import { Readability } from '@mozilla/readability'
import { Defuddle } from 'defuddle/node'
import { parseDocument } from '../../server/tools/web/reader/document'
import type { Read } from './score'

/** Readability by itself, as many tools use it: nothing else is tried. */
export function byReadability(html: string): Read {
  const found = new Readability(parseDocument(html)).parse()
  return { title: found?.title, author: found?.byline, text: textIn(found?.content) }
}

/** Defuddle, in the DOM that the reader here uses. */
export async function byDefuddle(html: string, url: string): Promise<Read> {
  const found = await Defuddle(parseDocument(html), url)
  return { title: found.title, author: found.author, text: textIn(found.content) }
}

/** The text of HTML, words of different elements apart. */
const textIn = (html: string | null | undefined): string =>
  (html ?? '').replace(/<[^>]*>/g, ' ').replaceAll('&amp;', '&')
