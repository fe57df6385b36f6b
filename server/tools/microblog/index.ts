import type { ToolGroup } from '../define'
import { microblogFollowers } from './microblog_followers'
import { microblogPost } from './microblog_post'
import { microblogPostComments } from './microblog_post_comments'
import { microblogSearch } from './microblog_search'
import { microblogUser } from './microblog_user'
import { microblogUserPosts } from './microblog_user_posts'
import { microblogVerifiedFollowers } from './microblog_verified_followers'

/** Public posts and accounts of X, through its API v2 with an app-only token. */
export const microblogGroup: ToolGroup = {
  id: 'microblog',
  label: 'Microblog',
  tools: [
    microblogUser,
    microblogUserPosts,
    microblogPostComments,
    microblogSearch,
    microblogPost,
    microblogFollowers,
    microblogVerifiedFollowers,
  ],
}
