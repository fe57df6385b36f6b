import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { hasDataApiKey } from './data-api'
import { fetchDataApiVideo } from './data-api-video'
import { fetchInnertubeVideo } from './innertube-video'
import { VideoDetails } from './shape'
import { VideoId } from './video-id'

export const videositeVideoInfo = defineTool({
  id: 'videosite_video_info',
  label: 'Video info',
  capability: 'dataApi',
  leadsTo: ['videosite_transcript', 'videosite_comments'],
  description:
    'What YouTube says about a video: title, description, views and likes, length, date, keywords and its channel. ' +
    'What is hidden or unknown is null.',
  params: z.strictObject({ videoId: VideoId }),
  sandboxExample: { videoId: 'sandbox0003' },
  output: VideoDetails,
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: () => true,
  run: ({ videoId }, context) =>
    hasDataApiKey() ? fetchDataApiVideo(context, videoId) : fetchInnertubeVideo(context, videoId),
})
