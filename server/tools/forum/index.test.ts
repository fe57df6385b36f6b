import { expect, test, vi } from 'vitest'
import { forumGroup } from '.'

test('without REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET no tool is available', () => {
  vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/none')
  vi.stubEnv('AUTH_SECRET', 'a'.repeat(32))
  vi.stubEnv('UPSTREAMS', 'live')
  vi.stubEnv('REDDIT_CLIENT_ID', 'half of it')
  vi.stubEnv('REDDIT_CLIENT_SECRET', '')
  expect(forumGroup.tools.filter((tool) => tool.available())).toEqual([])
})
