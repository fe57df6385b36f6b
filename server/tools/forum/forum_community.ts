import { z } from 'zod'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import { after, community, limit, listingSort, time, timeFor } from './params'
import { PostList, readPage } from './posts'
import { getForum, isConfigured } from './upstream'

export const forumCommunity = defineTool({
  id: 'forum_community',
  label: 'Forum community',
  capability: 'dataApi',
  description: 'A page of the posts of one Reddit community, in the order asked for.',
  params: z.strictObject({
    community: community.describe('Name of the community, without r/'),
    sort: listingSort.default('hot').describe('Order of the posts'),
    time: time.optional().describe('How far back, for the orders top and controversial'),
    limit,
    after,
  }),
  output: PostList,
  pricing: { kind: 'fixed', credits: 5 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  exposure: READS_STRANGERS,
  available: isConfigured,
  /** https://www.reddit.com/dev/api/#GET_hot and its neighbours. */
  async run({ community, sort, time, limit, after }, context) {
    const asked = { t: timeFor(sort, time), limit: String(limit), after }
    const subject = { kind: 'community', name: community } as const
    return readPage(await getForum(context, `/r/${community}/${sort}`, asked, subject), limit)
  },
})
