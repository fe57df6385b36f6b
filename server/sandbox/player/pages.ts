import type { UnknownRecord } from '../../kit/record'
import type { WantedCall } from './ask'
import { failureOf, resultValue, rowLine, rowLink, rowText, type ShownCall } from './calls'
import {
  type Chapter,
  chartBlock,
  linkTo,
  listBlock,
  makeChapter,
  plainLine,
  type ReportBlock,
  textBlock,
  withContent,
} from './chapter'
import { bestSentences, chartOfTable, tableIn } from './markdown'

export const readCall = (url: string): WantedCall => ({ name: 'web_read_url', args: { url } })

const SENTENCES = 3

type PageRead = ReturnType<typeof pageOf>

function pageOf(value: UnknownRecord, subject: string) {
  const url = rowText(value, 'finalUrl') || rowText(value, 'url')
  const by = [rowText(value, 'author'), rowText(value, 'siteName'), rowText(value, 'publishedAt').slice(0, 10)]
  const markdown = rowText(value, 'markdown')
  const said = bestSentences(markdown, subject, SENTENCES)
  const named = [...new Set(by.map((part) => plainLine(part, 60)).filter(Boolean))]
  return { url, title: rowText(value, 'title') || url, by: named, markdown, said }
}

/** A page: its link, author and day, and the sentences that say most and no page before it said. */
function pageBlocks({ url, title, by, said }: PageRead, before: ReadonlySet<string>): ReportBlock[] {
  const own = said.filter((sentence) => !before.has(sentence))
  const nothing = said.length > 0 ? 'It says the same.' : 'It says nothing that can be quoted in a sentence.'
  return [
    textBlock(`**${linkTo(title, url)}**${by.length > 0 ? `, ${by.join(', ')}:` : ':'}`),
    own.length > 0 ? listBlock(own.map((sentence) => `${sentence} (${linkTo('source', url)})`)) : textBlock(nothing),
  ]
}

const DISPUTED = /\b(disputed|disagree|differ|contested|while others)\b/i

/** What several pages say alike, and what they say is disputed. */
function comparisonBlocks(pages: readonly PageRead[]): ReportBlock[] {
  const all = pages.flatMap(({ said }) => said)
  const shared = [...new Set(all.filter((sentence, i) => all.indexOf(sentence) !== i))]
  const items = shared.map((sentence) => {
    const saying = pages.filter(({ said }) => said.includes(sentence))
    const sources = saying.map(({ url }, i) => linkTo(`source ${i + 1}`, url))
    return `${sources.length === 2 ? 'Both say' : `${sources.length} pages say`}: ${sentence} (${sources.join(', ')})`
  })
  const disputed = pages.find(({ said }) => said.some((sentence) => DISPUTED.test(sentence)))
  const sentence = disputed?.said.find((each) => DISPUTED.test(each))
  if (disputed && sentence && !shared.includes(sentence))
    items.push(`Not agreed on: ${sentence} (${linkTo('source', disputed.url)})`)
  return items.length > 0 ? [listBlock(items)] : []
}

function tableBlocks(pages: readonly PageRead[]): ReportBlock[] {
  for (const { markdown, title, url } of pages) {
    const table = tableIn(markdown)
    if (!table) continue
    const chart = chartOfTable(table, plainLine(title, 60))
    const lead = textBlock(`These numbers are from ${linkTo(title, url)}:`)
    return chart ? [lead, chartBlock(chart), table] : [lead, table]
  }
  return []
}

type About = { title: string; subject: string }

/** What pages say, each with its link, what they agree on, their numbers, and what was not read. */
export function pagesChapters(calls: readonly (ShownCall | null)[], { title, subject }: About): Chapter[] {
  const pages = calls.flatMap((call) => {
    const value = resultValue(call)
    return value ? [pageOf(value, subject)] : []
  })
  const unread = calls.filter((call) => call !== null && !resultValue(call)) as ShownCall[]
  const gaps = unread.map((call) => `${rowText(call.args, 'url')} could not be read: ${failureOf(call)}`)
  const [first] = bestSentences(pages.flatMap(({ said }) => said).join('\n'), subject, 1)
  const source = pages.find(({ said }) => first !== undefined && said.includes(first))
  const blocks = pages.flatMap((page, i) => {
    const before = pages.slice(0, i).flatMap(({ said }) => said)
    return pageBlocks(page, new Set([...before, ...(pages.length > 1 && first !== undefined ? [first] : [])]))
  })
  const lead = first && source ? `**${first}** (${linkTo('source', source.url)})` : ''
  const more = [
    makeChapter({ title: 'What they agree on, and what not', blocks: comparisonBlocks(pages) }),
    makeChapter({ title: 'In numbers', blocks: tableBlocks(pages) }),
  ]
  return [makeChapter({ title, lead, blocks, gaps }), ...withContent(more)]
}

/** The rows of a search as a list of links. */
export const resultLinks = (rows: readonly UnknownRecord[]): ReportBlock =>
  listBlock(rows.map((row) => `${rowLink(row)}: ${rowLine(row, 'snippet', 160)}`))
