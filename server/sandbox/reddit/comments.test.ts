import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { commentListing } from './comments'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const ASKED = { limit: 50, depth: 4, sort: 'top', comment: null }
const at = (time: string, postId: string) => {
  vi.setSystemTime(new Date(time))
  return JSON.stringify(commentListing(postId, ASKED))
}

test('the comments of a post are the same all day', () => {
  const morning = at('2026-11-22T00:00:01Z', '1000t4ney')
  expect(morning).toContain('created_utc')
  expect(at('2026-11-22T23:59:58Z', '1000t4ney')).toBe(morning)
})
