import { z } from 'zod'
import { lenient, lenientObject } from '../provider-fields'
import { thumbnailUrl, type VideoSearchRow, watchUrl } from './shape'
import { InnertubeText, parseClock, parseExactCount, parseRoundedCount } from './text-fields'

const Byline = z.object({
  runs: z.array(
    z.object({
      text: z.string(),
      navigationEndpoint: lenientObject({ browseEndpoint: z.object({ browseId: z.string() }) }),
    }),
  ),
})

const Renderer = z.object({
  videoRenderer: z.object({
    videoId: z.string().min(1),
    title: InnertubeText,
    ownerText: lenient(Byline),
    publishedTimeText: InnertubeText,
    lengthText: InnertubeText,
    viewCountText: InnertubeText,
    badges: lenient(z.array(z.object({ metadataBadgeRenderer: z.object({ style: z.string() }) }))),
    detailedMetadataSnippets: lenient(z.array(z.object({ snippetText: InnertubeText }))),
  }),
})

/** A row from a `videoRenderer`; null for anything else. */
export function readVideoRow(item: unknown, lang: string): VideoSearchRow | null {
  const video = Renderer.safeParse(item).data?.videoRenderer
  if (!video?.title) return null
  const isLive = video.badges?.some((b) => b.metadataBadgeRenderer.style === 'BADGE_STYLE_TYPE_LIVE_NOW') ?? false
  const owner = video.ownerText?.runs[0]
  const views = lang.startsWith('en') ? parseRoundedCount : parseExactCount
  return {
    videoId: video.videoId,
    url: watchUrl(video.videoId),
    title: video.title,
    description: video.detailedMetadataSnippets?.[0]?.snippetText ?? '',
    channel: { id: owner?.navigationEndpoint?.browseEndpoint.browseId ?? null, name: owner?.text ?? null },
    // For a live stream it counts the current viewers.
    viewCount: isLive ? null : views(video.viewCountText),
    durationSeconds: parseClock(video.lengthText),
    publishedAt: null,
    publishedText: video.publishedTimeText,
    isLive,
    thumbnail: thumbnailUrl(video.videoId),
  }
}

const Badge = z.object({ thumbnailBadgeViewModel: z.object({ text: z.string() }) })
const Overlay = z.union([
  z
    .object({ thumbnailOverlayBadgeViewModel: z.object({ thumbnailBadges: z.array(Badge) }) })
    .transform((o) => o.thumbnailOverlayBadgeViewModel.thumbnailBadges),
  z
    .object({ thumbnailBottomOverlayViewModel: z.object({ badges: z.array(Badge) }) })
    .transform((o) => o.thumbnailBottomOverlayViewModel.badges),
])
const Lockup = z.object({
  lockupViewModel: z.object({
    contentId: z.string().min(1),
    contentType: z.literal('LOCKUP_CONTENT_TYPE_VIDEO'),
    contentImage: lenientObject({ thumbnailViewModel: z.object({ overlays: z.array(z.unknown()) }) }),
    metadata: z.object({
      lockupMetadataViewModel: z.object({
        title: z.object({ content: z.string() }),
        metadata: lenientObject({
          contentMetadataViewModel: z.object({
            metadataRows: z.array(z.object({ metadataParts: z.array(z.object({ text: InnertubeText })).default([]) })),
          }),
        }),
      }),
    }),
  }),
})

/**
 * A row from a `lockupViewModel`, which replaces renderers on more and more pages; null for
 * anything else.
 */
export function readLockupRow(item: unknown): VideoSearchRow | null {
  const video = Lockup.safeParse(item).data?.lockupViewModel
  if (!video) return null
  const { title, metadata } = video.metadata.lockupMetadataViewModel
  const rows = metadata?.contentMetadataViewModel.metadataRows.map((r) => r.metadataParts.map((p) => p.text)) ?? []
  const parts = rows.flat()
  const overlays = video.contentImage?.thumbnailViewModel.overlays ?? []
  const badges = overlays.flatMap((o) => Overlay.safeParse(o).data ?? []).map((b) => b.thumbnailBadgeViewModel.text)
  return {
    videoId: video.contentId,
    url: watchUrl(video.contentId),
    title: title.content,
    description: '',
    channel: { id: null, name: rows[0]?.[0] ?? null },
    viewCount: parseRoundedCount(parts.find((p) => p && /\bviews?$/i.test(p)) ?? null),
    durationSeconds: badges.map(parseClock).find((s) => s !== null) ?? null,
    publishedAt: null,
    publishedText: parts.find((p) => p && /\bago$/i.test(p)) ?? null,
    isLive: badges.includes('LIVE'),
    thumbnail: thumbnailUrl(video.contentId),
  }
}
