import type { UnknownRecord } from '../../../kit/record'
import type { PlayerAsk, WantedCall } from './ask'
import { type Chapter, linkTo, makeChapter, plainLine, type ReportBlock } from './chapter'
import { failureOf, resultValue, rowText } from './result-value'
import { bestSentences } from './sentences'
import type { ShownCall } from './shown-calls'

export const readCall = (url: string): WantedCall => ({ name: 'web_read_url', args: { url } })

const SENTENCES = 3

/** A page that was read: its link, author and day, and its sentences that say most. */
function pageBlocks(page: UnknownRecord, subject: string): ReportBlock[] {
  const url = rowText(page, 'finalUrl') || rowText(page, 'url')
  const title = rowText(page, 'title') || url
  const by = [rowText(page, 'author'), rowText(page, 'siteName'), rowText(page, 'publishedAt').slice(0, 10)]
    .map((part) => plainLine(part, 60))
    .filter(Boolean)
  const source = linkTo(title, url)
  const said = bestSentences(rowText(page, 'markdown'), subject, SENTENCES)
  return [
    { kind: 'text', text: `**${source}**${by.length > 0 ? `, ${[...new Set(by)].join(', ')}:` : ':'}` },
    said.length > 0
      ? { kind: 'list', items: said.map((sentence) => `${sentence} (${linkTo('source', url)})`) }
      : { kind: 'text', text: 'It says nothing that can be quoted in a sentence.' },
  ]
}

/** What pages say, each with its link; and which could not be read. */
export function pagesChapter(
  calls: readonly (ShownCall | null)[],
  { title, subject }: { title: string; subject: string },
): Chapter {
  const blocks: ReportBlock[] = []
  const gaps: string[] = []
  for (const call of calls) {
    const page = resultValue(call)
    if (page) blocks.push(...pageBlocks(page, subject))
    else if (call) gaps.push(`${rowText(call.args, 'url')} could not be read: ${failureOf(call)}`)
  }
  return makeChapter({ title, blocks, gaps })
}

/** The rows of a search as a list of links. */
export const resultLinks = (rows: readonly UnknownRecord[]): ReportBlock => ({
  kind: 'list',
  items: rows.map(
    (row) => `${linkTo(rowText(row, 'title'), rowText(row, 'url'))}: ${plainLine(rowText(row, 'snippet'), 160)}`,
  ),
})

/** Reads pages, as many as can be reached. */
export const readPages = (ask: PlayerAsk, urls: readonly string[]): (ShownCall | null)[] => ask.all(urls.map(readCall))
