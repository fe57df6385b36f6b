import { recordsIn, type UnknownRecord } from '../../kit/record'
import { type PlannedStep, type PlayerAsk, type PlayerPart, pricedStep, type WantedCall } from './ask'
import {
  byNumber,
  failureOf,
  fieldsIn,
  resultRows,
  resultValue,
  rowLine,
  rowLink,
  rowShown,
  rowText,
  type ShownCall,
} from './calls'
import { type Chapter, linkTo, listBlock, makeChapter, onlyGaps, plainLine, tableOf } from './chapter'
import { bestSentences } from './markdown'
import { postsChapter } from './research'
import { hasTool, type PlayerView } from './view'
import { isRefused, type Wish } from './wish'

const VIDEO_WORDS = /\b(youtube|videos?|transcripts?)\b/i
const POST_WORDS = /\b(tweets?|twitter|hashtags?|microblogs?)\b/i
const FORUM_WORDS = /\b(reddit|forums?|subreddits?|r\/\w+|people)\b/i
const COMMENTS = 5
/** What is read closely of what a search found. */
const CLOSER: Record<string, string> = { forum_search: 'forum_post', videosite_search: 'videosite_transcript' }

/** What is to be searched. Forums are the first place where nothing else is named. */
function sourcesOf(wish: Wish, has: (tool: string) => boolean): WantedCall[] {
  const { text, subject } = wish
  const community = /\br\/(\w{2,30})/.exec(text)?.[1]
  const query = subject || community || 'news'
  const wantsForums = !isRefused(wish, /\b(forums?|reddit)\b/i)
  const isForum = FORUM_WORDS.test(text) || !(VIDEO_WORDS.test(text) || POST_WORDS.test(text))
  const wants = (words: RegExp) => words.test(text) && !isRefused(wish, words)
  const calls: [isWanted: boolean, name: string, args: UnknownRecord][] = [
    [isForum && wantsForums, 'forum_search', { query, ...(community && { community }), limit: 10 }],
    [wants(POST_WORDS), 'microblog_search', { query: `${subject} lang:en`, limit: 10, searchType: 'Top' }],
    [wants(VIDEO_WORDS), 'videosite_search', { query: subject, limit: 6 }],
  ]
  return calls.flatMap(([isWanted, name, args]) => (isWanted && has(name) ? [{ name, args }] : []))
}

function plan(wish: Wish, view: PlayerView): PlannedStep[] {
  const tools = sourcesOf(wish, (tool) => hasTool(view, tool)).map(({ name }) => name)
  const next = wish.isCheap ? [] : tools.flatMap((tool) => CLOSER[tool] ?? [])
  return [
    pricedStep(view, `Search for ${wish.subject || 'what is new'}`, tools),
    pricedStep(view, 'Read the most discussed of what was found', next),
  ].filter((step) => step.tools.length > 0)
}

const question = ({ subject }: Wish) => (subject === '' ? 'What should I look for there?' : null)

/** The next calls: the most discussed thread with its comments, and what the first video says. */
function readingOf(searches: readonly (ShownCall | null)[], wish: Wish): WantedCall[] {
  if (wish.isCheap) return []
  return searches.flatMap((call): WantedCall[] => {
    const rows = resultRows(call)
    if (call?.name === 'forum_search') {
      const id = rowText(byNumber(rows, 'commentCount')[0] ?? {}, 'postId')
      return id ? [{ name: 'forum_post', args: { postId: id, commentLimit: 12 } }] : []
    }
    const id = call?.name === 'videosite_search' ? rowText(rows[0] ?? {}, 'videoId') : ''
    return id ? [{ name: 'videosite_transcript', args: { videoId: id } }] : []
  })
}

const quoteOf = (row: UnknownRecord) => `“${rowLine(row, 'text', 200)}” – `

function threadChapter(value: UnknownRecord): Chapter {
  const post = fieldsIn(value.post)
  const comments = byNumber(recordsIn(value.comments), 'score').slice(0, COMMENTS)
  const itemOf = (row: UnknownRecord) =>
    `${quoteOf(row)}${rowLine(row, 'author', 40) || 'deleted'}, ${rowShown(row, 'score')} points`
  const lead = `${rowLink(post)}, ${rowShown(post, 'commentCount')} comments. The most voted say:`
  return makeChapter({ title: 'The most discussed thread', lead, blocks: [listBlock(comments.map(itemOf))] })
}

function transcriptChapter(value: UnknownRecord, subject: string): Chapter {
  const text = recordsIn(value.segments)
    .map((segment) => rowText(segment, 'text'))
    .join(' ')
  const said = bestSentences(text, subject, 3)
  const quotes = said.length > 0 ? said : [plainLine(text, 300)]
  const source = linkTo('video', `https://www.youtube.com/watch?v=${rowText(value, 'videoId')}`)
  const blocks = [listBlock(quotes.map((quote) => `“${quote}” (${source})`))]
  return makeChapter({ title: 'What the first video says', blocks })
}

function searchChapter(call: ShownCall): Chapter {
  const rows = resultRows(call)
  if (call.name === 'forum_search') return postsChapter('Threads in forums', rows)
  if (call.name === 'microblog_search') {
    const authorOf = (row: UnknownRecord) => linkTo(`@${rowText(row, 'author')}`, rowText(row, 'url'))
    const itemOf = (row: UnknownRecord) => `${quoteOf(row)}${authorOf(row)}, ${rowShown(row, 'likeCount')} likes`
    const items = byNumber(rows, 'likeCount').slice(0, 5).map(itemOf)
    return makeChapter({ title: 'Short posts', blocks: [listBlock(items)] })
  }
  const table = tableOf(
    rows.slice(0, 5),
    ['Video', rowLink],
    ['Channel', ({ channel }) => rowLine(fieldsIn(channel), 'name', 40)],
    ['Views', (row) => rowShown(row, 'viewCount')],
  )
  return makeChapter({ title: 'Videos', blocks: [table] })
}

function play(ask: PlayerAsk, wish: Wish): Chapter[] {
  const searches = ask.all(sourcesOf(wish, ask.has))
  const read = ask.all(readingOf(searches, wish))
  const chapters = searches.flatMap((call): Chapter[] => {
    if (!call) return []
    if (call.failed) return onlyGaps(call.name, `${call.name} failed: ${failureOf(call)}`)
    if (resultRows(call).length > 0) return [searchChapter(call)]
    return onlyGaps(call.name, `${call.name} found nothing about ${wish.subject}.`)
  })
  const closer = read.flatMap((call): Chapter[] => {
    if (!call) return []
    const value = resultValue(call)
    if (!value) return onlyGaps(call.name, `${call.name} failed: ${failureOf(call)}`)
    return [call.name === 'forum_post' ? threadChapter(value) : transcriptChapter(value, wish.subject)]
  })
  return [...chapters, ...closer]
}

/** Forums, short posts and videos, and one of each read closely. */
export const socialPart: PlayerPart = { topic: 'social', plan, question, play }
