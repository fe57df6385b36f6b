import { expect, test, vi } from 'vitest'
import { microblogGroup } from '.'

test('without X_BEARER_TOKEN no tool is available', () => {
  vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/none')
  vi.stubEnv('AUTH_SECRET', 'a'.repeat(32))
  vi.stubEnv('UPSTREAMS', 'live')
  vi.stubEnv('X_BEARER_TOKEN', '')

  expect(microblogGroup.tools.filter((tool) => tool.available())).toEqual([])
})
