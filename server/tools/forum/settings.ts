import { z } from 'zod'
import { defineSettings } from '../../env'
import { textSetting, urlSetting } from '../../env/schemas'

/** The tools are offered when both client id and client secret are set. */
export const forumSettings = defineSettings({
  provider: 'reddit',
  schema: z.object({
    REDDIT_BASE_URL: urlSetting
      .default('https://oauth.reddit.com')
      .describe('forum tools use the Reddit API: its address for calls'),
    REDDIT_AUTH_URL: urlSetting
      .default('https://www.reddit.com')
      .describe('Its address for access tokens and share links'),
    REDDIT_CLIENT_ID: textSetting
      .optional()
      .describe('The registered app; the tools are offered when id and secret are set'),
    REDDIT_CLIENT_SECRET: textSetting.optional().describe('Its client secret'),
  }),
  together: ['REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET'],
  sandbox: (sandboxUrl) => ({
    REDDIT_BASE_URL: `${sandboxUrl}/reddit`,
    REDDIT_AUTH_URL: `${sandboxUrl}/reddit-www`,
    REDDIT_CLIENT_ID: 'sandbox',
    REDDIT_CLIENT_SECRET: 'sandbox',
  }),
})
