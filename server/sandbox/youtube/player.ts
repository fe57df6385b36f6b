import type { SimulatedVideo } from './videos'

const LOGGED_OUT = { mainAppWebResponseContext: { loggedOut: true } }

/**
 * Reasons as the site words them in English. A video that cannot be had is a 200; some of them
 * still have their details.
 */
const UNAVAILABLE: Record<string, { status: string; reason: string; details: boolean }> = {
  sandboxpriv: { status: 'LOGIN_REQUIRED', reason: 'This video is private', details: false },
  sandboxages: { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm your age', details: false },
  sandboxbots: { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm you’re not a bot', details: false },
  sandboxmemb: {
    status: 'UNPLAYABLE',
    reason: "This video is available to this channel's members on level: Deck hands (or any higher priced level).",
    details: true,
  },
  sandboxgeos: {
    status: 'UNPLAYABLE',
    reason: 'The uploader has not made this video available in your country',
    details: true,
  },
}

/**
 * POST /youtubei/v1/player. Numbers are strings; `microformat` is there for the web client only.
 */
export function playerOf(id: string, video: SimulatedVideo | undefined, isWeb: boolean): object {
  const refused = UNAVAILABLE[id]
  if (refused) {
    return {
      responseContext: LOGGED_OUT,
      playabilityStatus: { status: refused.status, reason: refused.reason },
      ...(refused.details && video && { videoDetails: details(video) }),
    }
  }
  if (!video) {
    const subreason = { simpleText: "This video isn't available any more" }
    const errorScreen = { playerErrorMessageRenderer: { reason: { simpleText: 'Video unavailable' }, subreason } }
    return {
      responseContext: LOGGED_OUT,
      playabilityStatus: { status: 'ERROR', reason: 'Video unavailable', errorScreen },
    }
  }
  return {
    responseContext: LOGGED_OUT,
    playabilityStatus: { status: 'OK', playableInEmbed: true },
    videoDetails: details(video),
    ...(id !== 'sandboxnocc' && { captions: captions(video) }),
    ...(isWeb && { microformat: microformat(video) }),
  }
}

const details = ({ id, title, seconds, keywords, channel, description, views, isLive }: SimulatedVideo) => ({
  videoId: id,
  title,
  lengthSeconds: isLive ? '0' : String(seconds),
  // Absent, not empty, when a video has no keywords.
  ...(keywords.length > 0 && { keywords }),
  channelId: channel.id,
  isOwnerViewing: false,
  shortDescription: description,
  isCrawlable: true,
  thumbnail: { thumbnails: [{ url: `https://i.ytimg.com/vi/${id}/hq720.jpg`, width: 1280, height: 720 }] },
  allowRatings: true,
  viewCount: String(views),
  author: channel.name,
  isPrivate: false,
  isLiveContent: isLive,
  ...(isLive && { isLive: true }),
})

const microformat = ({ id, publishedAt, channel, likes, views, category }: SimulatedVideo) => ({
  playerMicroformatRenderer: {
    category,
    publishDate: publishedAt.replace('.000Z', '-00:00'),
    uploadDate: publishedAt.replace('.000Z', '-00:00'),
    isFamilySafe: true,
    isUnlisted: false,
    ownerProfileUrl: `http://www.youtube.com${channel.handle}`,
    externalChannelId: channel.id,
    externalVideoId: id,
    ownerChannelName: channel.name,
    viewCount: String(views),
    likeCount: String(likes),
  },
})

function captions({ id }: SimulatedVideo) {
  // exp=xpe: the address wants a proof of a browser.
  const proof = id === 'sandboxnull' ? '&exp=xpe' : ''
  const track = (lang: string, kind?: string) => ({
    baseUrl: `https://www.youtube.com/api/timedtext?v=${id}&caps=asr&expire=1780891006&signature=SANDBOX&key=yt8&lang=${lang}${kind ? `&kind=${kind}` : ''}${proof}`,
    name: { runs: [{ text: kind ? 'English (auto-generated)' : lang }] },
    vssId: kind ? `a.${lang}` : `.${lang}`,
    languageCode: lang,
    ...(kind && { kind }),
    isTranslatable: true,
    trackName: '',
  })
  return { playerCaptionsTracklistRenderer: { captionTracks: [track('es'), track('en', 'asr'), track('en')] } }
}
