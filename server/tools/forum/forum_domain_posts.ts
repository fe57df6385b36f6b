import { z } from 'zod'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import { after, domain, limit, listingSort, time, timeFor } from './params'
import { PostList, readPage } from './posts'
import { getForum, isConfigured } from './upstream'

export const forumDomainPosts = defineTool({
  id: 'forum_domain_posts',
  label: 'Forum posts by domain',
  capability: 'dataApi',
  description: 'A page of the Reddit posts that link to one domain, in the order asked for.',
  params: z.strictObject({
    domain: domain.describe('Domain the posts link to, such as example.com'),
    sort: listingSort.default('top').describe('Order of the posts'),
    time: time.default('all').describe('How far back, for the orders top and controversial'),
    limit,
    after,
  }),
  output: PostList,
  pricing: { kind: 'fixed', credits: 5 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  exposure: READS_STRANGERS,
  available: isConfigured,
  /** Not in the vendor's list of calls; https://praw.readthedocs.io/en/stable/code_overview/other/domainlisting.html uses it. */
  async run({ domain, sort, time, limit, after }, context) {
    const asked = { t: timeFor(sort, time), limit: String(limit), after }
    return readPage(
      await getForum(context, `/domain/${domain}/${sort}`, asked, { kind: 'domain', name: domain }),
      limit,
    )
  },
})
