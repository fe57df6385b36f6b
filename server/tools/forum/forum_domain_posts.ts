import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { fetchForum, isForumConfigured } from './client'
import { AfterParams, LinkedDomain, PostLimit, PostSort, TimeSpan, timeSpanFor } from './params'
import { FORUM_COLUMNS, ForumPostPage, readPostPage } from './posts'

export const forumDomainPosts = defineTool({
  id: 'forum_domain_posts',
  label: 'Forum posts by domain',
  capability: 'dataApi',
  leadsTo: ['forum_post'],
  description: 'A page of the Reddit posts that link to one domain, in the requested order.',
  params: z.strictObject({
    domain: LinkedDomain.describe('Domain the posts link to, such as example.com'),
    sort: PostSort.default('top').describe('Order of the posts'),
    time: TimeSpan.default('all').describe('How far back, for the orders top and controversial'),
    limit: PostLimit,
    ...AfterParams,
  }),
  example: { domain: 'example.com' },
  columns: FORUM_COLUMNS,
  output: ForumPostPage,
  pricing: { kind: 'fixed', credits: 5 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: isForumConfigured,
  /**
   * Undocumented by Reddit, used by
   * https://praw.readthedocs.io/en/stable/code_overview/other/domainlisting.html
   */
  async run({ domain, sort, time, limit, after, cursor }, context) {
    const query = { t: timeSpanFor(sort, time), limit: String(limit), after: cursor ?? after }
    return readPostPage(
      await fetchForum(context, `/domain/${domain}/${sort}`, query, { kind: 'domain', name: domain }),
      limit,
    )
  },
})
