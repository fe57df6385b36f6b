import { describe, expect, it } from 'vitest'
import { callQuery, chargedTo, withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'

withSandbox()

/** Tools with more than one page, the source's name of the cursor, and what finds several pages. */
const PAGED: [tool: string, source: string, params: Record<string, unknown>][] = [
  ['crypto_get_market_data', 'page', { perPage: 5 }],
  ['forum_search', 'after', { query: 'sailing', limit: 5 }],
  ['forum_community', 'after', { community: 'sailing', limit: 5 }],
  ['forum_domain_posts', 'after', { domain: 'example.com', limit: 2 }],
  ['microblog_user_posts', 'cursor', { userId: '1001', limit: 5 }],
  ['microblog_post_comments', 'cursor', { postId: '1001', limit: 5 }],
  ['microblog_followers', 'cursor', { microblogUserId: '1001' }],
  ['microblog_verified_followers', 'cursor', { microblogUserId: '1001' }],
  ['videosite_comments', 'continuationToken', { videoId: 'sandbox0004', limit: 2 }],
  [
    'property_search',
    'startPage',
    { locationId: '0-EU-ES-28', locationName: 'Madrid', location: 'es', operation: 'sale', maxResults: 20 },
  ],
]

describe.each(PAGED)('%s', (tool, source, params) => {
  it('takes what nextCursor says, as cursor and under its own name, and gives the same next page', async () => {
    const { key } = await makeCaller(10_000)
    const first = await callQuery(key.key, tool, params)
    expect(first.status).toBe(200)
    const { nextCursor, rows } = first.body
    expect(nextCursor).toEqual(expect.any(String))
    const byCursor = await callQuery(key.key, tool, { ...params, cursor: nextCursor })
    const byName = await callQuery(key.key, tool, { ...params, [source]: nextCursor })
    expect(byCursor.status).toBe(200)
    expect(byCursor.body).toEqual(byName.body)
    expect(byCursor.body.rows).not.toEqual(rows)
  })

  it.each(['cursor', source])('refuses what is no nextCursor as %s, for nothing', async (name) => {
    const { owner, key } = await makeCaller(10_000)
    for (const wrong of ['garbage', 'not a cursor', '-1', '0', "'; --"]) {
      const answer = await callQuery(key.key, tool, { ...params, [name]: wrong })
      expect(answer, wrong).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    }
    expect(await chargedTo(owner)).toBe(0)
  })
})
