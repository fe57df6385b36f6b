import type { ProviderContext } from '../provider'
import { toIsoTime } from '../provider-fields'
import { fetchPlayer, isBotCheck, unavailableVideoError, type VideoPlayer } from './player'
import { channelUrl, thumbnailUrl, type VideoDetails, watchUrl } from './shape'
import { parseRoundedCount } from './text-fields'
import { fetchWatchPage, type WatchPage } from './watch-page'

/**
 * The watch page adds the channel's subscribers; the rest does not wait longer than this for it.
 */
const PAGE_MS = 15_000

/**
 * A video from InnerTube: from the player, and from the watch page what only that has; from the
 * page alone where the player refuses this gateway as a bot. Throws `upstream_error` when there is
 * no such video.
 */
export async function fetchInnertubeVideo(context: ProviderContext, videoId: string): Promise<VideoDetails> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(PAGE_MS)])
  const [player, page] = await Promise.allSettled([
    fetchPlayer(context, videoId),
    fetchWatchPage({ ...context, signal }, videoId),
  ])
  if (player.status === 'rejected') throw player.reason
  const shown = page.status === 'fulfilled' ? page.value : undefined
  if (player.value.videoDetails) return fromPlayer(player.value, player.value.videoDetails, shown)
  if (isBotCheck(player.value) && shown?.primary?.title) return fromPage(videoId, shown.primary.title, shown)
  throw unavailableVideoError(player.value) ?? unavailableVideoError({ ...player.value, playabilityStatus: undefined })
}

function fromPlayer(
  player: VideoPlayer,
  details: NonNullable<VideoPlayer['videoDetails']>,
  page?: WatchPage,
): VideoDetails {
  const known = player.microformat?.playerMicroformatRenderer
  const channel = channelOf(page)
  const isLive = details.isLive === true
  const missing = unavailableVideoError(player)
  const publishedAt = toIsoTime(known?.publishDate)
  return {
    videoId: details.videoId,
    url: watchUrl(details.videoId),
    title: details.title,
    description: details.shortDescription ?? '',
    keywords: details.keywords,
    viewCount: details.viewCount,
    likeCount: known?.likeCount ?? null,
    durationSeconds: isLive ? null : details.lengthSeconds,
    publishedAt,
    publishedText: publishedAt === null ? (page?.primary?.dateText ?? null) : null,
    category: known?.category ?? null,
    isLive,
    thumbnail: thumbnailUrl(details.videoId),
    channel: {
      ...channel,
      id: details.channelId ?? channel.id,
      name: details.author ?? channel.name,
      url: details.channelId === null ? channel.url : channelUrl(`/channel/${details.channelId}`),
    },
    isPlayable: missing === null,
    unavailableReason: missing?.message ?? null,
  }
}

function fromPage(videoId: string, title: string, page: WatchPage): VideoDetails {
  const views = page.primary?.viewCount?.videoViewCountRenderer
  const isLive = views?.isLive === true
  return {
    videoId,
    url: watchUrl(videoId),
    title,
    description: page.secondary?.attributedDescription ?? '',
    keywords: null,
    // For a live stream this counts the current viewers.
    viewCount: isLive ? null : parseRoundedCount(views?.viewCount ?? null),
    likeCount: null,
    durationSeconds: null,
    publishedAt: null,
    publishedText: page.primary?.dateText ?? null,
    category: null,
    isLive,
    thumbnail: thumbnailUrl(videoId),
    channel: channelOf(page),
    isPlayable: true,
    unavailableReason: null,
  }
}

function channelOf(page: WatchPage | undefined): VideoDetails['channel'] {
  const owner = page?.secondary?.owner?.videoOwnerRenderer
  const id = owner?.navigationEndpoint?.browseEndpoint.browseId ?? null
  return {
    id,
    name: owner?.title ?? null,
    url: id && channelUrl(`/channel/${id}`),
    subscriberCount: parseRoundedCount(owner?.subscriberCountText ?? null),
  }
}
