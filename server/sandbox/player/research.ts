import type { UnknownRecord } from '../../kit/record'
import { type PlannedStep, type PlayerAsk, type PlayerPart, pricedStep, type WantedCall } from './ask'
import { byNumber, failureOf, resultRows, rowLine, rowLink, rowShown, rowText, type ShownCall } from './calls'
import { type Chapter, makeChapter, onlyGaps, plainLine, tableOf, textBlock, withGaps } from './chapter'
import { pagesChapters, readCall, resultLinks } from './pages'
import { hasTool, type PlayerView } from './view'
import { isRefused, type Wish } from './wish'

const READ = 2
const MORE_LINKS = 3
const POSTS = 4

const wantsForum = (wish: Wish, has: (tool: string) => boolean) =>
  has('forum_search') &&
  !(wish.isCheap || wish.topics.has('social') || wish.topics.has('site')) &&
  !isRefused(wish, /\b(forums?|reddit|posts?|opinions?)\b/i)
const pagesToRead = (wish: Wish) => (isRefused(wish, /\b(read(ing)?|pages?)\b/i) ? 0 : wish.isCheap ? 1 : READ)

const searchCallOf = ({ subject }: Wish): WantedCall => ({ name: 'web_search', args: { query: subject } })
const forumCallOf = ({ subject }: Wish): WantedCall => ({ name: 'forum_search', args: { query: subject, limit: 8 } })

function plan(wish: Wish, view: PlayerView): PlannedStep[] {
  const reads = pagesToRead(wish)
  const hasForum = wantsForum(wish, (tool) => hasTool(view, tool))
  const search = `Search the web${hasForum ? ' and the forums' : ''} for ${wish.subject}`
  const read = `Read the ${reads === 1 ? 'page' : `${reads} pages`} found first`
  return [
    pricedStep(view, search, ['web_search', ...(hasForum ? ['forum_search'] : [])]),
    ...(reads > 0 ? [pricedStep(view, read, ['web_read_url'], reads)] : []),
  ]
}

/** Posts as a table, the most voted first. */
export function postsChapter(title: string, posts: readonly UnknownRecord[]): Chapter {
  const table = tableOf(
    byNumber(posts, 'score').slice(0, POSTS),
    ['Thread', rowLink],
    ['Community', (post) => `r/${rowLine(post, 'community', 30)}`],
    ['Points', (post) => rowShown(post, 'score')],
    ['Comments', (post) => rowShown(post, 'commentCount')],
  )
  return makeChapter({ title, blocks: [table] })
}

const question = ({ subject }: Wish) => (subject === '' ? 'What is it about? Name the subject to look into.' : null)

function play(ask: PlayerAsk, wish: Wish): Chapter[] {
  const { subject } = wish
  if (subject === '') return onlyGaps('Nothing to look up', 'The goal names no subject, so nothing was searched.')
  const isForum = wantsForum(wish, ask.has)
  const [found = null, forum = null] = ask.all([searchCallOf(wish), ...(isForum ? [forumCallOf(wish)] : [])])
  const rows = resultRows(found).filter((row) => rowText(row, 'url') !== '')
  const first = rows.slice(0, pagesToRead(wish))
  const read = ask.all(first.map((row) => readCall(rowText(row, 'url'))))
  const failed = (call: ShownCall | null, name: string) =>
    call?.failed && `The ${name} search failed: ${failureOf(call)}`
  const gaps = [
    failed(found, 'web'),
    found && !found.failed && rows.length === 0 && `The web search found nothing about ${subject}.`,
    !found && 'The web was not searched: this run has no search, or the credits do not pay for one.',
    failed(forum, 'forum'),
  ]
  const chapters: Chapter[] = []
  if (rows.length > 0) {
    const about = plainLine(subject, 80)
    const [main, ...more] = pagesChapters(read, { title: `What is written about ${about}`, subject })
    const share = `, of which I read the first${first.length === 1 ? '' : ` ${first.length}`}`
    const count = `A search for **${about}** brought ${rows.length} pages${first.length > 0 ? share : ''}.`
    const blocks = main && main.blocks.length > 0 ? main.blocks : [resultLinks(rows.slice(0, 1))]
    if (main) chapters.push({ ...main, blocks: [textBlock(count), ...blocks] }, ...more)
    const others = rows.slice(first.length, first.length + MORE_LINKS)
    if (others.length > 0) chapters.push(makeChapter({ title: 'Also found', blocks: [resultLinks(others)] }))
  }
  const posts = resultRows(forum)
  if (posts.length > 0) chapters.push(postsChapter('What people discuss', posts))
  return withGaps(chapters, { title: 'Research', gaps })
}

/** A search of the web and of forums, and the first pages read. */
export const researchPart: PlayerPart = { topic: 'research', plan, question, play }
