import { z } from 'zod'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import { hasKey } from './data-api'
import { dataVideo } from './data-videos'
import { innertubeVideo } from './info'
import { Video } from './shape'
import { videoId } from './video-id'

export const videositeVideoInfo = defineTool({
  id: 'videosite_video_info',
  label: 'Video info',
  capability: 'dataApi',
  description:
    'What YouTube tells about a video: title, description, views and likes, length, date, keywords and its channel. ' +
    'What is hidden or unknown is null.',
  params: z.strictObject({ videoId }),
  output: Video,
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  exposure: READS_STRANGERS,
  available: () => true,
  run: ({ videoId }, context) => (hasKey() ? dataVideo(context, videoId) : innertubeVideo(context, videoId)),
})
