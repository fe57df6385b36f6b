import { communityCandidates, inOrder, searchCandidates } from '../../../server/sandbox/reddit/listings'
import { makeRedditPost } from '../../../server/sandbox/reddit/posts'
import { commentsOf, videoWithId } from '../../../server/sandbox/youtube/videos'
import { calledTimes, lacks, unless } from '../checks'
import type { Goal } from '../goal'
import { visibleField } from '../models/visible'

/** The first page of a community: its two pinned posts come first. */
function hottest(community: string) {
  const posts = inOrder(communityCandidates(community), 'hot', null).map((key) => makeRedditPost(key))
  return [...posts.filter((post) => post.stickied), ...posts.filter((post) => !post.stickied)].slice(0, 25)
}

const found = (words: string) =>
  inOrder(searchCandidates(words, ''), 'relevance', 'all')
    .slice(0, 100)
    .map((key) => makeRedditPost(key))
const video = videoWithId('sandbox0005')

export const socialGoals: readonly Goal[] = [
  {
    id: 'top-post',
    agent: 'social',
    text: () =>
      'Which of the 25 hottest posts of the forum community sailing has the highest score? Give title, score and URL of the post.',
    maxCredits: 150,
    mishap: (n) => (n === 1 ? 'refused' : null),
    solve: (ask) => {
      const rows = ask.rows(ask.call('forum_community', { community: 'sailing', limit: 25 }))
      const best = rows.reduce((a, b) => (Number(b.score) > Number(a.score) ? b : a))
      return `**${best.title}**, score ${best.score}: ${best.url}`
    },
    check: (o) => {
      const best = hottest('sailing').reduce((a, b) => (b.score > a.score ? b : a))
      return lacks(o, best.title, best.score, '/comments/')
    },
  },
  {
    id: 'count-posts',
    agent: 'social',
    text: () =>
      'Search the forum for "tide", with a limit of 100 posts: how many posts are found, and how many of these posts have the flair Guide?',
    maxCredits: 400,
    solve: (ask) => {
      const fromStep = ask.stepOf(ask.call('forum_search', { query: 'tide', limit: 100 }))
      ask.call('dataset_create', { name: 'tide_posts', fromStep, path: 'rows' })
      const sql = `SELECT count(*) AS n, count(*) FILTER (WHERE flair = 'Guide') AS guides FROM tide_posts`
      const { text } = ask.call('dataset_query', { sql })
      return `${visibleField(text, 'n')} posts, of which ${visibleField(text, 'guides')} have the flair Guide.`
    },
    check: (o) => {
      const posts = found('tide')
      return lacks(o, posts.length, posts.filter((post) => post.link_flair_text === 'Guide').length)
    },
  },
  {
    id: 'transcript',
    agent: 'social',
    text: () => `Which words are said at 0:51 in the video ${video.id}, and how many words does its transcript have?`,
    maxCredits: 150,
    mishap: (n) => (n === 0 ? 'unasked_json' : null),
    solve: (ask) => {
      const shown = ask.call('videosite_transcript', { videoId: /video (\w+)/.exec(ask.conversation.goal)?.[1] })
      const line = ask.rows(shown, 'segments').find(({ ts }) => ts === '0:51')
      return `At 0:51: “${line?.text}” The transcript has ${visibleField(shown.text, 'wordCount')} words.`
    },
    check: (o) => [
      ...lacks(o, video.lines[4]?.slice(0, 20) ?? '', video.lines.join(' ').split(/\s+/).length),
      ...calledTimes(o, 'videosite_transcript', { min: 1, max: 1 }),
    ],
  },
  {
    id: 'all-comments',
    agent: 'social',
    text: () =>
      `Read every comment on the video ${video.id}: how many comments are there, and which viewer other than the channel itself got the most likes?`,
    maxCredits: 300,
    solve: (ask) => {
      const videoId = /video (\w+)/.exec(ask.conversation.goal)?.[1]
      const rows = []
      for (let token: unknown; token !== null; ) {
        const args = { videoId, limit: 20, ...(typeof token === 'string' && { continuationToken: token }) }
        const shown = ask.call('videosite_comments', args)
        rows.push(...ask.rows(shown))
        token = visibleField(shown.text, 'nextCursor')
      }
      const viewers = rows.filter(({ isPinned }) => isPinned !== true)
      const best = viewers.reduce((a, b) => (Number(b.likeCount) > Number(a.likeCount) ? b : a))
      return `${rows.length} comments; the most liked viewer is ${best.author} with ${best.likeCount} likes.`
    },
    check: (o) => {
      const all = commentsOf(video, 0, 500)
      const best = all.slice(1).reduce((a, b) => (b.likes > a.likes ? b : a))
      return lacks(o, all.length, best.author, best.likes)
    },
  },
  {
    id: 'banned-community',
    agent: 'social',
    text: () =>
      'What do people in the forum community sandboxban talk about? If the community cannot be read, say why.',
    maxCredits: 100,
    solve: (ask) => {
      const shown = ask.call('forum_community', { community: 'sandboxban' })
      return shown.failed ? `The community cannot be read: ${shown.text}` : shown.text
    },
    check: (o) => [...lacks(o, 'banned'), ...unless(o.steps.length <= 4, `it took ${o.steps.length} steps`)],
  },
]
