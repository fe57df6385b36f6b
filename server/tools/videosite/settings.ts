import { z } from 'zod'
import { defineSettings } from '../../env'
import { textSetting, urlSetting } from '../../env/schemas'

/** YouTube works without a key; a key for the Data API makes results exact, except transcripts. */
export const videositeSettings = defineSettings({
  provider: 'youtube',
  schema: z.object({
    YOUTUBE_BASE_URL: urlSetting
      .default('https://www.youtube.com')
      .describe('videosite tools use YouTube: its address'),
    YOUTUBE_API_KEY: textSetting
      .optional()
      .describe(
        "A key for the YouTube Data API v3; optional: exact results, except transcripts, within Google's daily quota",
      ),
  }),
  sandbox: (sandboxUrl) => ({
    YOUTUBE_BASE_URL: `${sandboxUrl}/youtube`,
    YOUTUBE_API_KEY: undefined,
  }),
})
