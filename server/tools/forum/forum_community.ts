import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { fetchForum, isForumConfigured } from './client'
import { AfterParams, CommunityName, PostLimit, PostSort, TimeSpan, timeSpanFor } from './params'
import { FORUM_COLUMNS, ForumPostPage, readPostPage } from './posts'

export const forumCommunity = defineTool({
  id: 'forum_community',
  label: 'Forum community',
  capability: 'dataApi',
  leadsTo: ['forum_post'],
  description: 'A page of the posts of one Reddit community, in the requested order.',
  params: z.strictObject({
    community: CommunityName.describe('Name of the community, without r/'),
    sort: PostSort.default('hot').describe('Order of the posts'),
    time: TimeSpan.optional().describe('How far back, for the orders top and controversial'),
    limit: PostLimit,
    ...AfterParams,
  }),
  example: { community: 'sailing' },
  columns: FORUM_COLUMNS,
  output: ForumPostPage,
  pricing: { kind: 'fixed', credits: 5 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: isForumConfigured,
  /** https://www.reddit.com/dev/api/#GET_hot and its neighbours. */
  async run({ community, sort, time, limit, after, cursor }, context) {
    const query = { t: timeSpanFor(sort, time), limit: String(limit), after: cursor ?? after }
    const subject = { kind: 'community', name: community } as const
    return readPostPage(await fetchForum(context, `/r/${community}/${sort}`, query, subject), limit)
  },
})
