import { z } from 'zod'
import { defineSettings } from '../../env'
import { textSetting, urlSetting } from '../../env/schemas'

/** The tools are offered when the token is set. */
export const microblogSettings = defineSettings({
  provider: 'x',
  schema: z.object({
    X_BASE_URL: urlSetting.default('https://api.x.com').describe('microblog tools use the X API v2: its address'),
    X_BEARER_TOKEN: textSetting
      .optional()
      .describe('Its app-only bearer token; without it these tools are not offered'),
  }),
  sandbox: (sandboxUrl) => ({
    X_BASE_URL: `${sandboxUrl}/x`,
    X_BEARER_TOKEN: 'sandbox',
  }),
})
