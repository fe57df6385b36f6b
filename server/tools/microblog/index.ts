import type { ToolGroup } from '../define'
import { microblogFollowers } from './microblog_followers'
import { microblogPost } from './microblog_post'
import { microblogPostComments } from './microblog_post_comments'
import { microblogSearch } from './microblog_search'
import { microblogUser } from './microblog_user'
import { microblogUserPosts } from './microblog_user_posts'
import { microblogVerifiedFollowers } from './microblog_verified_followers'
import { microblogSettings } from './settings'

/** Public posts and accounts of X, through its API v2 with an app-only token. */
export const microblogGroup: ToolGroup = {
  id: 'microblog',
  label: 'Microblog',
  provider: 'X, API v2',
  agent: 'social',
  names: ['twitter', 'tweet', 'tweets', 'x.com', 'twitter.com'],
  settings: microblogSettings,
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
