import { expect, test } from 'vitest'
import type { RunStep } from './state'
import { resultContent } from './tool-result'

const words = (n: number) => 'The tide turns at noon and the toll house opens. '.repeat(Math.ceil(n / 49)).slice(0, n)

const url = (id: string) =>
  `https://forum.example/r/sailing/comments/abc/a_long_thread_of_many_replies/${id}/of/this/discussion/`

/** As a forum has them: short and long ones, and most fields the same or null in all. */
const comments = [9, 29, 10, 75, 60, 9, 20, 20, 24, 34, 10, 100, 19, 41, 19].map((length, i) => ({
  commentId: `c${i}abcde`,
  parentId: i % 3 === 0 ? null : `c${i - 1}abcde`,
  author: i === 0 ? null : `sailor_of_${i}`,
  text: words(length),
  url: url(`c${i}`),
  score: 2_348 - i * 100,
  depth: i % 3,
  isPinned: false,
  isByPostAuthor: false,
  distinguished: null,
  editedAt: null,
  publishedAt: `2026-03-01T10:${10 + i}:07.000Z`,
}))

const post = {
  postId: 'abc',
  title: 'A long thread of many replies',
  community: 'sailing',
  author: 'harbour_master',
  text: words(182),
  url: url('post'),
  linkUrl: null,
  domain: 'self.sailing',
  images: [],
  score: 3_471,
  commentCount: 209,
  isText: true,
  isVideo: false,
}

const output = { post, comments, moreCommentCount: 194 }

test('a result cut to any size shows some of what it has', () => {
  const nothing: number[] = []
  for (let maxChars = 800; maxChars <= 4_000; maxChars++) {
    const step = { index: 9, kind: 'tool', name: 'forum_post', output, error: null } as RunStep
    const shown = resultContent(step, { maxChars, canStore: true })
    expect(shown.length).toBeLessThanOrEqual(maxChars)
    if (!shown.includes('The tide turns')) nothing.push(maxChars)
  }
  expect(nothing).toEqual([])
})
