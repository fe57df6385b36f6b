import { decodeHTMLStrict } from 'entities/decode'
import { z } from 'zod'
import { type ProviderContext, parseProviderJson } from '../provider'
import { VIDEO_PROVIDER, videoError } from './errors'
import { callInnertube, fetchCaptions } from './innertube'
import { type CaptionTrack, fetchPlayer, unavailableVideoError } from './player'
import { DigitString, InnertubeText } from './text-fields'
import { fetchWatchPage } from './watch-page'

export type TranscriptSegment = { t: number; ts: string; text: string }

/**
 * What is said in a video, in order: the site's own transcript or, as many servers do not get it,
 * the caption track. Throws `upstream_error` with the reason when there is neither.
 */
export async function fetchTranscript(context: ProviderContext, videoId: string): Promise<TranscriptSegment[]> {
  const { transcriptParams } = await fetchWatchPage(context, videoId)
  const shown = transcriptParams === undefined ? [] : await fromPanel(context, transcriptParams)
  return shown.length > 0 ? shown : fromCaptions(context, videoId)
}

const Spoken = z.object({ transcriptSegmentRenderer: z.object({ startMs: DigitString, snippet: InnertubeText }) })
const Panel = z.object({
  actions: z.array(
    z.object({
      updateEngagementPanelAction: z.object({
        content: z.object({
          transcriptRenderer: z.object({
            content: z.object({
              transcriptSearchPanelRenderer: z.object({
                body: z.object({
                  transcriptSegmentListRenderer: z.object({ initialSegments: z.array(z.unknown()).default([]) }),
                }),
              }),
            }),
          }),
        }),
      }),
    }),
  ),
})

/**
 * POST /youtubei/v1/get_transcript. Empty when it is refused or has another format: captions come
 * next.
 */
async function fromPanel(context: ProviderContext, params: string): Promise<TranscriptSegment[]> {
  const response = await callInnertube(context, 'get_transcript', { params })
  if (response.status !== 200) return []
  const panel = Panel.safeParse(jsonOf(response.text))
  const list = panel.data?.actions[0]?.updateEngagementPanelAction.content.transcriptRenderer.content
  const items = list?.transcriptSearchPanelRenderer.body.transcriptSegmentListRenderer.initialSegments ?? []
  // Chapter titles come among the segments.
  return items.flatMap((item) => {
    const { data } = Spoken.safeParse(item)
    return data ? segment(data.transcriptSegmentRenderer.startMs, data.transcriptSegmentRenderer.snippet) : []
  })
}

const Captions = z.object({
  events: z.array(
    z.object({
      tStartMs: z.number().catch(0).default(0),
      segs: z.array(z.object({ utf8: z.string().catch('').default('') })).optional(),
    }),
  ),
})

/**
 * The player of the Android app gets addresses of caption tracks that need no proof of a browser.
 */
async function fromCaptions(context: ProviderContext, videoId: string): Promise<TranscriptSegment[]> {
  const player = await fetchPlayer(context, videoId, 'ANDROID')
  const missing = unavailableVideoError(player)
  if (missing) throw missing
  const track = selectCaptionTrack(player.captions?.playerCaptionsTracklistRenderer.captionTracks ?? [])
  if (!track) throw videoError('not_found', 'This video has no captions, so it has no transcript.')
  const text = await fetchCaptions(context, track.baseUrl)
  if (text === null || text.trim() === '') {
    throw videoError(
      'provider_error',
      `This video has captions, but ${VIDEO_PROVIDER.toLowerCase()} does not return them to this gateway. Try again later.`,
    )
  }
  const { events } = parseProviderJson(VIDEO_PROVIDER, text, Captions)
  // An event without text opens a window on the screen; one with nothing but a line break closes a
  // line.
  const found = events.flatMap(({ tStartMs, segs }) => segment(tStartMs, segs?.map((s) => s.utf8).join('') ?? null))
  if (found.length === 0) throw videoError('not_found', 'The captions of this video are empty.')
  return found
}

/**
 * A written track, if possible in the spoken language, which the recognized track has; else the
 * recognized one.
 */
export function selectCaptionTrack(tracks: readonly CaptionTrack[]): CaptionTrack | undefined {
  const recognized = tracks.find((track) => track.kind === 'asr')
  const written = tracks.filter((track) => track.kind !== 'asr')
  return written.find((track) => track.languageCode === (recognized?.languageCode ?? 'en')) ?? written[0] ?? recognized
}

function segment(startMs: number | null, words: string | null): TranscriptSegment[] {
  const text = decodeHTMLStrict(words ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  if (text === '' || startMs === null) return []
  const seconds = Math.floor(startMs / 1000)
  const ts = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return [{ t: startMs / 1000, ts, text }]
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
