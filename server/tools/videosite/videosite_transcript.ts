import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { fetchTranscript } from './transcript'
import { VideoId } from './video-id'

export const videositeTranscript = defineTool({
  id: 'videosite_transcript',
  label: 'Video transcript',
  capability: 'dataApi',
  description:
    'What is said in a YouTube video, from its captions, line by line with the time of each. A video without captions ' +
    'has no transcript.',
  params: z.strictObject({ videoId: VideoId }),
  sandboxExample: { videoId: 'sandbox0005' },
  output: z.object({
    videoId: z.string(),
    segmentCount: z.int(),
    wordCount: z.int(),
    segments: z.array(
      z.object({
        t: z.number().describe('Seconds from the start'),
        ts: z.string().describe('The same as m:ss'),
        text: z.string(),
      }),
    ),
  }),
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: () => true,
  async run({ videoId }, context) {
    const segments = await fetchTranscript(context, videoId)
    const wordCount = segments.reduce((sum, { text }) => sum + text.split(' ').length, 0)
    return { videoId, segmentCount: segments.length, wordCount, segments }
  },
})
