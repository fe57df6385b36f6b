import { z } from 'zod'

const count = z.int().nullable()
const time = z.iso.datetime().nullable()

/** Unknown values are null. */
export const VideoDetails = z.object({
  videoId: z.string(),
  url: z.string(),
  title: z.string(),
  description: z.string(),
  keywords: z.array(z.string()).nullable(),
  viewCount: count,
  likeCount: count,
  durationSeconds: z.number().nullable().describe('Null for a live stream'),
  publishedAt: time,
  publishedText: z.string().nullable().describe('The date in words, where the exact time is not known'),
  category: z.string().nullable(),
  isLive: z.boolean().describe('Live at the moment'),
  thumbnail: z.string().describe('URL of an image'),
  channel: z.object({
    id: z.string().nullable(),
    name: z.string().nullable(),
    url: z.string().nullable(),
    subscriberCount: count.describe('Rounded by the site'),
  }),
  isPlayable: z.boolean(),
  unavailableReason: z.string().nullable().describe('Why it cannot be played from here, such as: members only'),
})
export type VideoDetails = z.output<typeof VideoDetails>

export const VideoCommentRow = z.object({
  commentId: z.string(),
  text: z.string(),
  author: z.string().nullable().describe('Null for a removed account'),
  authorId: z.string().nullable().describe('Id of their channel'),
  isByChannelOwner: z.boolean().nullable(),
  isAuthorVerified: z.boolean().nullable(),
  likeCount: count,
  replyCount: count,
  publishedAt: time,
  publishedText: z.string().nullable().describe('The age in words, where the exact time is not known'),
  isEdited: z.boolean(),
  isPinned: z.boolean().nullable(),
})
export type VideoCommentRow = z.output<typeof VideoCommentRow>

export const VideoSearchRow = z.object({
  videoId: z.string(),
  url: z.string(),
  title: z.string(),
  description: z.string().describe('An excerpt'),
  channel: z.object({ id: z.string().nullable(), name: z.string().nullable() }),
  viewCount: count,
  durationSeconds: z.number().nullable().describe('Null for a live stream'),
  publishedAt: time,
  publishedText: z.string().nullable().describe('The age in words, where the exact time is not known'),
  isLive: z.boolean(),
  thumbnail: z.string().describe('URL of an image'),
})
export type VideoSearchRow = z.output<typeof VideoSearchRow>

/** The preview image that every video has. */
export const thumbnailUrl = (videoId: string): string => `https://i.ytimg.com/vi/${videoId}/hqdefault.jpg`
export const watchUrl = (videoId: string): string => `https://www.youtube.com/watch?v=${videoId}`
export const channelUrl = (path: string): string => `https://www.youtube.com${path}`
