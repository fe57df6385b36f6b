import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { microblogFollowers } from '../../tools/microblog/microblog_followers'
import { microblogPost } from '../../tools/microblog/microblog_post'
import { microblogPostComments } from '../../tools/microblog/microblog_post_comments'
import { microblogSearch } from '../../tools/microblog/microblog_search'
import { microblogUser } from '../../tools/microblog/microblog_user'
import { microblogUserPosts } from '../../tools/microblog/microblog_user_posts'
import type { MicroblogPostRow } from '../../tools/microblog/posts'
import type { MicroblogUserRow } from '../../tools/microblog/users'
import { plainWord } from '../prose/words'

withSandboxProviders()

type Post = z.output<typeof MicroblogPostRow>
type User = z.output<typeof MicroblogUserRow>
type Page = { rows: Post[]; users: User[] }

const search = async (query: string, searchType = 'Top', limit = 40) =>
  (await toolResult(microblogSearch, { query, searchType, limit })) as Page
const user = (username: string) => toolResult(microblogUser, { username }) as Promise<User>
const falls = (numbers: number[]) => numbers.every((n, i) => i === 0 || n <= (numbers[i - 1] ?? 0))
const ageDays = ({ publishedAt }: Post) => (Date.now() - Date.parse(publishedAt ?? '')) / 86_400_000

describe('a search of the microblog', () => {
  test.each(['espresso machine', 'night trains', 'bitcoin', 'remote work Portugal', 'Málaga'])(
    'for “%s” finds posts of the week with these words',
    async (query) => {
      const { rows } = await search(query)
      expect(rows).toHaveLength(40)
      for (const row of rows) {
        for (const word of query.split(' ')) expect(plainWord(row.text)).toContain(plainWord(word))
        expect(ageDays(row)).toBeLessThanOrEqual(7)
      }
    },
  )

  test('is the same every time', async () => {
    expect(await search('balcony solar')).toEqual(await search('balcony solar'))
  })

  test.each<[string, (row: Post, users: Map<string, User>) => boolean]>([
    ['from:nasa', (row) => row.author === 'NASA'],
    ['from:NASA moon', (row) => row.author === 'NASA' && /moon/i.test(row.text)],
    ['from:nasa OR from:esa', (row) => ['NASA', 'esa'].includes(row.author ?? '')],
    ['coffee lang:es', (row) => row.language === 'es' && /coffee/i.test(row.text)],
    ['coffee lang:en', (row) => row.language === 'en'],
    ['coffee filter:links', (row) => /http:.*\/site\//.test(row.text)],
    ['coffee -filter:links', (row) => !row.text.includes('http')],
    ['coffee filter:images', (row) => row.media.some((m) => m.type === 'photo')],
    ['coffee filter:videos', (row) => row.media.some((m) => m.type === 'video')],
    ['coffee filter:hashtags', (row) => row.text.includes('#')],
    ['#coffee', (row) => /#coffee/i.test(row.text)],
    ['coffee filter:replies', (row) => row.references.some((r) => r.type === 'reply')],
    ['coffee -filter:replies', (row) => row.references.every((r) => r.type !== 'reply')],
    ['coffee filter:quote', (row) => row.references.some((r) => r.type === 'quote')],
    ['from:nasa filter:retweets', (row) => row.references.some((r) => r.type === 'repost')],
    ['from:nasa exclude:retweets', (row) => row.references.every((r) => r.type !== 'repost')],
    ['coffee filter:verified', (row, users) => users.get(row.authorId ?? '')?.isVerified === true],
    ['coffee min_faves:50', (row) => (row.likeCount ?? 0) >= 50],
    ['coffee min_retweets:10', (row) => (row.repostCount ?? 0) >= 10],
    ['coffee -figures', (row) => !/figures/i.test(row.text)],
    ['(coffee OR tea) filter:images', (row) => /coffee|tea/i.test(row.text) && row.media.length > 0],
    ['"flat white"', (row) => /flat white/i.test(row.text)],
  ])('knows %s', async (query, holds) => {
    const { rows, users } = await search(query)
    const byId = new Map(users.map((one) => [one.userId, one]))
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(holds(row, byId), row.text).toBe(true)
  })

  test('has its five types', async () => {
    expect(falls((await search('tea', 'Top')).rows.map((row) => row.likeCount ?? 0))).toBe(true)
    expect(falls((await search('tea', 'Latest')).rows.map((row) => Date.parse(row.publishedAt ?? '')))).toBe(true)
    for (const row of (await search('tea', 'Photos', 10)).rows) expect(row.media[0]?.type).toBe('photo')
    for (const row of (await search('tea', 'Videos', 5)).rows) expect(row.media[0]?.type).toBe('video')
    const people = (await search('tea', 'People', 10)).rows as unknown as User[]
    expect(people).toHaveLength(10)
    for (const person of people) expect(await user(person.username)).toEqual(person)
  })

  test('in a language that nobody posts in is empty', async () => {
    expect((await search('coffee lang:xx')).rows).toEqual([])
  })
})

describe('what is in a list', () => {
  test.each(['espresso machine', 'from:openai', 'heat pump lang:de'])(
    'of “%s” is the same in detail',
    async (query) => {
      const { rows, users } = await search(query, 'Top', 5)
      for (const row of rows) {
        const { user: author, ...post } = await toolResult(microblogPost, { postId: row.postId })
        expect(post).toEqual(row)
        expect(author).toEqual(users.find((one) => one.userId === row.authorId))
      }
    },
  )

  test('has as many replies as it says, each a post with an author', async () => {
    const { rows } = await search('sourdough', 'Top', 4)
    for (const { postId, replyCount } of rows) {
      const replies = (await toolResult(microblogPostComments, { postId, limit: 40 })) as Page
      expect(replies.rows).toHaveLength(Math.min(replyCount ?? 0, 40))
      expect(falls(replies.rows.map((row) => Date.parse(row.publishedAt ?? '')))).toBe(true)
      const reply = replies.rows.find((row) => row.author !== null)
      const { user: author, ...detail } = await toolResult(microblogPost, { postId: reply?.postId ?? postId })
      if (reply) expect(detail).toEqual(reply)
      expect(author).not.toBeNull()
    }
  })
})

describe('an account', () => {
  test.each(['NASA', 'ada_trains', 'patagonia', 'BarackObama', 'jo'])(
    '@%s exists with its posts and followers',
    async (name) => {
      const profile = await user(name)
      expect(profile.username.toLowerCase()).toBe(name.toLowerCase())
      expect(profile.followerCount).toBeGreaterThan(0)
      const { rows, users } = (await toolResult(microblogUserPosts, { userId: profile.userId, limit: 20 })) as Page
      expect(rows).toHaveLength(20)
      expect(users).toContainEqual(profile)
      for (const row of rows) expect(row).toMatchObject({ authorId: profile.userId, author: profile.username })
      expect(falls(rows.map((row) => Date.parse(row.publishedAt ?? '')))).toBe(true)
      const followers = (await toolResult(microblogFollowers, { microblogUserId: profile.userId })) as { rows: User[] }
      expect(followers.rows).toHaveLength(Math.min(profile.followerCount ?? 0, 100))
      const [first] = followers.rows
      expect(await user(first?.username ?? '')).toEqual(first)
    },
  )
})
