import { describe, expect, test } from 'vitest'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import type { VideoCommentRow, VideoDetails, VideoSearchRow } from '../../tools/videosite/shape'
import { videositeComments } from '../../tools/videosite/videosite_comments'
import { videositeSearch } from '../../tools/videosite/videosite_search'
import { videositeTranscript } from '../../tools/videosite/videosite_transcript'
import { videositeVideoInfo } from '../../tools/videosite/videosite_video_info'
import { plainWord } from '../prose/words'

withSandboxProviders()

const search = async (params: object) =>
  ((await toolResult(videositeSearch, params)) as { rows: VideoSearchRow[] }).rows
const info = (videoId: string) => toolResult(videositeVideoInfo, { videoId }) as Promise<VideoDetails>

const HOURS = { last_hour: 1, today: 24, this_week: 7 * 24, this_month: 30 * 24, this_year: 365 * 24 } as const

describe('a search for videos', () => {
  test.each(['espresso machine', 'heat pump', 'learn Portuguese', 'Málaga', 'kubernetes operators'])(
    'for “%s” finds videos with these words in their titles',
    async (query) => {
      const rows = await search({ query, limit: 30 })
      expect(rows).toHaveLength(30)
      for (const { title } of rows)
        for (const word of query.split(' ')) if (word !== 'learn') expect(plainWord(title)).toContain(plainWord(word))
    },
  )

  test.each(Object.entries(HOURS))('of %s finds nothing older', async (orderBy, hours) => {
    const rows = await search({ query: 'bread', orderBy, limit: 20 })
    expect(rows.length).toBeGreaterThan(0)
    const oldest = Date.now() - hours * 3_600_000
    for (const { videoId } of rows) expect(Date.parse((await info(videoId)).publishedAt ?? '')).toBeGreaterThan(oldest)
  })

  test('is the same every time, and in another order from another country', async () => {
    const ids = async (country: string) =>
      (await search({ query: 'tea', country, limit: 20 })).map((row) => row.videoId)
    expect(await ids('es')).toEqual(await ids('es'))
    expect(await ids('es')).not.toEqual(await ids('us'))
  })

  test('in another language has the same numbers', async () => {
    const [row] = await search({ query: 'pan', lang: 'es', country: 'es', limit: 1 })
    expect(await info(row?.videoId ?? '')).toMatchObject({ viewCount: row?.viewCount, title: row?.title })
  })
})

describe('a video that was found', () => {
  test('has the same details, a transcript about its title, and as many comments as it has', async () => {
    for (const row of (await search({ query: 'sourdough', limit: 3 })).filter(({ isLive }) => !isLive)) {
      const details = await info(row.videoId)
      const { title, viewCount, durationSeconds, channel } = row
      expect(details).toMatchObject({ title, viewCount, durationSeconds, channel: { name: channel.name } })
      expect(details.description).toContain(row.description.replace(/ \.\.\.$/, ''))

      const { segments } = (await toolResult(videositeTranscript, { videoId: row.videoId })) as {
        segments: { t: number; text: string }[]
      }
      const spoken = segments.map(({ text }) => text).join(' ')
      expect(spoken).toMatch(/sourdough/i)
      expect(spoken).toContain(channel.name)
      expect(segments.at(-1)?.t).toBeLessThan(durationSeconds ?? 0)
      const described = details.description.split('\n\n').slice(1, -1)
      for (const line of described) expect(spoken).toContain(line)

      const { rows } = (await toolResult(videositeComments, { videoId: row.videoId, limit: 40 })) as {
        rows: VideoCommentRow[]
      }
      expect(rows[0]?.text).toContain(title)
      expect(rows[0]).toMatchObject({ authorId: details.channel.id, isByChannelOwner: true })
    }
  })
})

test.each(['dQw4w9WgXcQ', 'https://youtu.be/jNQXAC9IVRw', 'https://www.youtube.com/shorts/aqz-KE-bpKQ'])(
  'the video %s exists',
  async (videoId) => {
    expect(await info(videoId)).toMatchObject({ title: expect.stringMatching(/\w/), viewCount: expect.any(Number) })
  },
)
