import { z } from 'zod'
import { defineSettings } from '../../env'
import { executableSetting, textSetting, urlSetting } from '../../env/schemas'

/**
 * web_search uses the Brave Search API, or else a SearXNG instance. Without either it is not
 * offered.
 */
export const webSettings = defineSettings({
  provider: 'search',
  schema: z.object({
    BRAVE_SEARCH_BASE_URL: urlSetting
      .default('https://api.search.brave.com')
      .describe('web_search uses the Brave Search API: its address'),
    BRAVE_SEARCH_API_KEY: textSetting.optional().describe('Its API key'),
    SEARXNG_URL: urlSetting.optional().describe('A SearXNG instance for web_search, used when there is no Brave key'),
    CHROMIUM_PATH: executableSetting.optional().meta({
      description:
        'The browser that takes screenshots and reads pages made by JavaScript (default: the usual places are searched, headless shells first)',
      example: '/usr/bin/chromium-headless-shell',
    }),
  }),
  sandbox: (sandboxUrl) => ({
    BRAVE_SEARCH_BASE_URL: `${sandboxUrl}/brave`,
    BRAVE_SEARCH_API_KEY: 'sandbox',
    SEARXNG_URL: undefined,
  }),
})
