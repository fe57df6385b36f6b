import type { ToolGroup } from '../define'
import { forumCommunity } from './forum_community'
import { forumDomainPosts } from './forum_domain_posts'
import { forumPost } from './forum_post'
import { forumSearch } from './forum_search'
import { forumUser } from './forum_user'
import { forumSettings } from './settings'

/** Public posts, communities and users of Reddit, through its OAuth API. */
export const forumGroup: ToolGroup = {
  id: 'forum',
  label: 'Forum',
  provider: 'Reddit',
  agent: 'social',
  names: ['forum', 'forums', 'reddit', 'subreddit', 'reddit.com', 'www.reddit.com'],
  settings: forumSettings,
  tools: [forumSearch, forumPost, forumCommunity, forumDomainPosts, forumUser],
}
