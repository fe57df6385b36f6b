import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import type { PlannedStep, PlayerAsk, PlayerPart, WantedCall } from './ask'
import { failureOf, resultRows, resultValue, rowNumber, rowText, type ShownCall } from './calls'
import { type Chapter, linkTo, makeChapter, plainLine, shownNumber } from './chapter'
import { bestSentences } from './markdown'
import { postsChapter } from './research'
import { hasTool, type PlayerView, priceIn } from './view'
import { isRefused, type Wish } from './wish'

const VIDEO_WORDS = /\b(youtube|videos?|transcripts?)\b/i
const POST_WORDS = /\b(tweets?|twitter|hashtags?|microblogs?)\b/i
const COMMENTS = 5

/** What is to be searched. Forums are the first place where nothing else is named. */
function sourcesOf(wish: Wish, has: (tool: string) => boolean): WantedCall[] {
  const { text, subject } = wish
  const community = /\br\/(\w{2,30})/.exec(text)?.[1]
  const isForum =
    /\b(reddit|forums?|subreddits?|r\/\w+|people)\b/i.test(text) || !(VIDEO_WORDS.test(text) || POST_WORDS.test(text))
  const calls: (WantedCall | false)[] = [
    isForum &&
      !isRefused(wish, /\b(forums?|reddit)\b/i) && {
        name: 'forum_search',
        args: { query: subject || community || 'news', ...(community && { community }), limit: 10 },
      },
    POST_WORDS.test(text) &&
      !isRefused(wish, POST_WORDS) && {
        name: 'microblog_search',
        args: { query: `${subject} lang:en`, limit: 10, searchType: 'Top' },
      },
    VIDEO_WORDS.test(text) &&
      !isRefused(wish, VIDEO_WORDS) && { name: 'videosite_search', args: { query: subject, limit: 6 } },
  ]
  return calls.filter((call) => call !== false).filter(({ name }) => has(name))
}

function plan(wish: Wish, view: PlayerView): PlannedStep[] {
  const price = (tool: string) => priceIn(view, tool) ?? 0
  const tools = sourcesOf(wish, (tool) => hasTool(view, tool)).map(({ name }) => name)
  const next = [
    ...(tools.includes('forum_search') ? ['forum_post'] : []),
    ...(tools.includes('videosite_search') ? ['videosite_transcript'] : []),
  ]
  const step = (title: string, named: string[]) =>
    named.length > 0 ? [{ title, tools: named, credits: named.reduce((sum, tool) => sum + price(tool), 0) }] : []
  return [
    ...step(`Search for ${wish.subject || 'what is new'}`, tools),
    ...step('Read the most discussed of what was found', wish.isCheap ? [] : next),
  ]
}

const question = ({ subject }: Wish) => (subject === '' ? 'What should I look for there?' : null)

const byNumber = (rows: readonly UnknownRecord[], field: string) =>
  [...rows].sort((a, b) => (rowNumber(b, field) ?? 0) - (rowNumber(a, field) ?? 0))

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

function threadChapter(value: UnknownRecord): Chapter {
  const post = isRecord(value.post) ? value.post : {}
  const comments = byNumber(recordsIn(value.comments), 'score').slice(0, COMMENTS)
  return makeChapter({
    title: 'The most discussed thread',
    lead: `${linkTo(rowText(post, 'title'), rowText(post, 'url'))}, ${shownNumber(rowNumber(post, 'commentCount'))} comments. The most voted say:`,
    blocks: [
      {
        kind: 'list',
        items: comments.map(
          (row) =>
            `“${plainLine(rowText(row, 'text'), 200)}” – ${plainLine(rowText(row, 'author'), 40) || 'deleted'}, ${shownNumber(rowNumber(row, 'score'))} points`,
        ),
      },
    ],
  })
}

function transcriptChapter(value: UnknownRecord, subject: string): Chapter {
  const text = recordsIn(value.segments)
    .map((segment) => rowText(segment, 'text'))
    .join(' ')
  const said = bestSentences(text, subject, 3)
  const quotes = said.length > 0 ? said : [plainLine(text, 300)]
  return makeChapter({
    title: 'What the first video says',
    blocks: [
      {
        kind: 'list',
        items: quotes.map(
          (quote) => `“${quote}” (${linkTo('video', `https://www.youtube.com/watch?v=${rowText(value, 'videoId')}`)})`,
        ),
      },
    ],
  })
}

function searchChapter(call: ShownCall): Chapter {
  const rows = resultRows(call)
  if (call.name === 'forum_search') return postsChapter('Threads in forums', rows)
  if (call.name === 'microblog_search')
    return makeChapter({
      title: 'Short posts',
      blocks: [
        {
          kind: 'list',
          items: byNumber(rows, 'likeCount')
            .slice(0, 5)
            .map(
              (row) =>
                `“${plainLine(rowText(row, 'text'), 200)}” – ${linkTo(`@${rowText(row, 'author')}`, rowText(row, 'url'))}, ${shownNumber(rowNumber(row, 'likeCount'))} likes`,
            ),
        },
      ],
    })
  return makeChapter({
    title: 'Videos',
    blocks: [
      {
        kind: 'table',
        head: ['Video', 'Channel', 'Views'],
        rows: rows
          .slice(0, 5)
          .map((row) => [
            linkTo(rowText(row, 'title'), rowText(row, 'url')),
            plainLine(rowText(isRecord(row.channel) ? row.channel : {}, 'name'), 40),
            shownNumber(rowNumber(row, 'viewCount')),
          ]),
      },
    ],
  })
}

function play(ask: PlayerAsk, wish: Wish): Chapter[] {
  const searches = ask.all(sourcesOf(wish, ask.has))
  const read = ask.all(readingOf(searches, wish))
  const chapters = searches.flatMap((call): Chapter[] => {
    if (!call) return []
    if (call.failed) return [makeChapter({ title: call.name, gaps: [`${call.name} failed: ${failureOf(call)}`] })]
    if (resultRows(call).length === 0)
      return [makeChapter({ title: call.name, gaps: [`${call.name} found nothing about ${wish.subject}.`] })]
    return [searchChapter(call)]
  })
  const closer = read.flatMap((call): Chapter[] => {
    const value = resultValue(call)
    if (!value || !call)
      return call ? [makeChapter({ title: call.name, gaps: [`${call.name} failed: ${failureOf(call)}`] })] : []
    return [call.name === 'forum_post' ? threadChapter(value) : transcriptChapter(value, wish.subject)]
  })
  return [...chapters, ...closer]
}

/** Forums, short posts and videos, and one of each read closely. */
export const socialPart: PlayerPart = { topic: 'social', plan, question, play }
