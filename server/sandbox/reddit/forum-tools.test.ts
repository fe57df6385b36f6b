import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { allPages, toolResult } from '../../../tests/support/run-tool'
import type { ForumCommentRow } from '../../tools/forum/comment-tree'
import { forumCommunity } from '../../tools/forum/forum_community'
import { forumDomainPosts } from '../../tools/forum/forum_domain_posts'
import { forumPost } from '../../tools/forum/forum_post'
import { forumSearch } from '../../tools/forum/forum_search'
import { forumUser } from '../../tools/forum/forum_user'
import type { ForumPostPage, ForumPostRow } from '../../tools/forum/posts'
import { plainWord } from '../prose/words'

withSandboxProviders()

type Row = z.output<typeof ForumPostRow>
type Page = z.output<typeof ForumPostPage>
type Thread = { post: Row; comments: z.output<typeof ForumCommentRow>[]; moreCommentCount: number }

const search = async (params: object) => (await toolResult(forumSearch, params)) as Page
const community = async (params: object) => (await toolResult(forumCommunity, params)) as Page
const thread = async (params: object) => (await toolResult(forumPost, params)) as Thread

const HOURS = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24, year: 365 * 24 } as const
const ageHours = (time: string | null) => (Date.now() - Date.parse(time ?? '')) / 3_600_000
const falls = (numbers: number[]) => numbers.every((n, i) => i === 0 || n <= (numbers[i - 1] ?? 0))

const QUERIES = [
  'rye starter',
  'espresso machine',
  'heat pump germany',
  'Lisbon apartments',
  'how to learn portuguese fast',
  'kubernetes operators',
  'iPhone vs Android',
  'café Málaga',
]

describe('a search of the forum', () => {
  test.each(QUERIES)('for “%s” finds posts with these words in their titles', async (query) => {
    const { rows } = await search({ query })
    expect(rows).toHaveLength(25)
    const words = query.split(' ').filter((word) => !['how', 'to', 'vs'].includes(word))
    for (const { title } of rows) for (const word of words) expect(plainWord(title)).toContain(plainWord(word))
  })

  test('for more words than a title holds finds posts with some of them', async () => {
    const query = 'quantum error correction threshold theorem surface code experiments'
    const { rows } = await search({ query })
    expect(rows).toHaveLength(25)
    for (const { title } of rows) expect(query.split(' ').some((word) => plainWord(title).includes(word))).toBe(true)
  })

  test('is the same every time', async () => {
    expect(await search({ query: 'balcony solar' })).toEqual(await search({ query: 'balcony solar' }))
  })

  test.each(Object.entries(HOURS))('of the last %s finds nothing older', async (time, hours) => {
    const { rows } = await search({ query: 'bread', time, limit: 100 })
    expect(rows.length).toBeGreaterThan(0)
    for (const { publishedAt } of rows) expect(ageHours(publishedAt)).toBeLessThanOrEqual(hours)
  })

  test.each([
    ['new', (row: Row) => Date.parse(row.publishedAt ?? '')],
    ['top', (row: Row) => row.score ?? 0],
    ['comments', (row: Row) => row.commentCount ?? 0],
  ])('sorted by %s is in that order over all pages', async (sort, by) => {
    const rows = (await allPages((after) => search({ query: 'bread', sort, limit: 40, after }))).flat()
    expect(falls(rows.map(by))).toBe(true)
    expect(new Set(rows.map((row) => row.postId)).size).toBe(rows.length)
  })

  test.each(['sailing', 'MechanicalKeyboards', 'espressolovers'])('of r/%s stays there', async (name) => {
    const { rows } = await search({ query: 'repair', community: name, limit: 100 })
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows) {
      expect(row.community).toBe(name)
      expect(row.title.toLowerCase()).toContain('repair')
    }
  })
})

describe('a community', () => {
  test.each(['AskReddit', 'personalfinance', 'spain', 'explainlikeimfive', 'my_little_garden'])(
    'r/%s exists, whatever its name, and its posts are its own',
    async (name) => {
      const { rows } = await community({ community: name, limit: 30 })
      expect(rows).toHaveLength(30)
      for (const row of rows) expect(row.community).toBe(name)
    },
  )

  test.each(['top', 'controversial'])('has a time span for the order %s', async (sort) => {
    const { rows } = await community({ community: 'gardening', sort, time: 'week', limit: 100 })
    expect(rows.length).toBeGreaterThan(0)
    for (const { publishedAt } of rows) expect(ageHours(publishedAt)).toBeLessThanOrEqual(HOURS.week)
  })

  test('has the newest first, and young ones among the rising', async () => {
    const { rows } = await community({ community: 'gardening', sort: 'new', limit: 50 })
    expect(falls(rows.map((row) => Date.parse(row.publishedAt ?? '')))).toBe(true)
    const rising = (await community({ community: 'gardening', sort: 'rising', limit: 10 })).rows
    const top = (await community({ community: 'gardening', sort: 'top', limit: 10 })).rows
    expect(falls(top.map((row) => row.score ?? 0))).toBe(true)
    expect(rising.map((row) => row.postId)).not.toEqual(top.map((row) => row.postId))
  })
})

test('links lead to pages that exist', async () => {
  const { rows } = await search({ query: 'solar panels', limit: 40 })
  const links = rows.flatMap(({ linkUrl }) => (linkUrl?.includes('/site/') ? [linkUrl] : []))
  expect(links.length).toBeGreaterThan(2)
  for (const link of links) expect(await (await fetch(link)).text()).toMatch(/solar panels/i)
})

test('a domain has posts that link to it, in order', async () => {
  const { rows } = (await toolResult(forumDomainPosts, { domain: 'nytimes.com', limit: 50 })) as Page
  expect(rows.length).toBeGreaterThan(5)
  expect(falls(rows.map((row) => row.score ?? 0))).toBe(true)
  for (const row of rows) expect(row).toMatchObject({ domain: 'nytimes.com', isText: false })
})

describe('what is in a list', () => {
  test('is the same in detail, and has as many comments as it says', async () => {
    const lists = [
      search({ query: 'night trains' }),
      search({ query: 'dog training', community: 'dogs' }),
      community({ community: 'Coffee' }),
      toolResult(forumDomainPosts, { domain: 'bbc.co.uk' }) as Promise<Page>,
    ]
    for (const { rows } of await Promise.all(lists)) {
      for (const row of rows.slice(0, 4)) {
        const { post, comments, moreCommentCount } = await thread({ postId: row.url ?? '', commentDepth: 6 })
        expect(post).toEqual(row)
        expect(comments.length + moreCommentCount).toBe(row.commentCount)
      }
    }
  })

  test('was written by somebody whose account is not younger', async () => {
    const { rows } = await search({ query: 'sourdough', limit: 10 })
    for (const { author, publishedAt } of rows) {
      if (author === null) continue
      const profile = await toolResult(forumUser, { username: author })
      expect(profile).toMatchObject({ username: author })
      expect(Date.parse(String(profile.createdAt))).toBeLessThan(Date.parse(publishedAt ?? ''))
    }
  })
})

describe('the comments of a post', () => {
  const find = async () => (await search({ query: 'heat pump', sort: 'comments', limit: 1 })).rows[0]?.postId ?? ''

  test.each([
    ['top', (c: Thread['comments'][number]) => c.score ?? 0],
    ['new', (c: Thread['comments'][number]) => Date.parse(c.publishedAt ?? '')],
    ['old', (c: Thread['comments'][number]) => -Date.parse(c.publishedAt ?? '')],
  ])('are in the order %s', async (commentSort, by) => {
    const params = { postId: await find(), commentSort, commentDepth: 1, commentLimit: 100 }
    const shown = (await thread(params)).comments.filter((c) => c.score !== null)
    expect(shown.length).toBeGreaterThan(5)
    expect(falls(shown.map(by))).toBe(true)
  })

  test('begin with the author’s in the order qa', async () => {
    const { comments } = await thread({ postId: await find(), commentSort: 'qa', commentDepth: 10, commentLimit: 100 })
    expect(comments.some((c) => c.isByPostAuthor)).toBe(true)
  })

  test('are a thread where the address names a comment', async () => {
    const postId = await find()
    const { comments } = await thread({ postId, commentLimit: 100 })
    const inner = comments.find((c) => c.depth === 1)
    const focused = await thread({ postId: `https://www.reddit.com/r/x/comments/${postId}/x/${inner?.commentId}/` })
    expect(focused.comments[0]).toMatchObject({ commentId: inner?.commentId, text: inner?.text })
  })
})
