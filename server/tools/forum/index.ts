import type { ToolGroup } from '../define'
import { forumCommunity } from './forum_community'
import { forumDomainPosts } from './forum_domain_posts'
import { forumPost } from './forum_post'
import { forumSearch } from './forum_search'
import { forumUser } from './forum_user'

/** Public posts, communities and users of Reddit, through its OAuth API. */
export const forumGroup: ToolGroup = {
  id: 'forum',
  label: 'Forum',
  tools: [forumSearch, forumPost, forumCommunity, forumDomainPosts, forumUser],
}
