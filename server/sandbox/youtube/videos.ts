/** A made-up video. `comments`: how many threads it has, null when they are turned off. */
export type SimulatedVideo = {
  id: string
  title: string
  seconds: number
  views: number
  likes: number
  publishedAt: string
  channel: { id: string; name: string; handle: string }
  keywords: string[]
  lines: string[]
  comments: number | null
  isLive: boolean
}

const CHANNELS = [
  { id: 'UCsandboxharbour00000001', name: 'Harbour & Helm', handle: '/@harbourandhelm' },
  { id: 'UCsandboxbread0000000002', name: 'Slow Oven', handle: '/@slowoven' },
  { id: 'UCsandboxnightsky0000003', name: 'Night Sky Notes', handle: '/@nightskynotes' },
] as const

const SUBJECTS = [
  ['Reefing a mainsail', 'sailing'],
  ['Rye starter from nothing', 'bread'],
  ['Finding Saturn with binoculars', 'astronomy'],
  ['Reading a tide table', 'sailing'],
  ['Why crusts crack & sing', 'bread'],
  ['A year of moon phases', 'astronomy'],
] as const

const LINES = [
  'Hello and welcome back.',
  'Today we take our time.',
  '[Music]',
  'First, look at what you have.',
  'Then change one thing & only one.',
  "That's all there is to it.",
]

/**
 * 72 videos, newest first; the first is a live stream, the second has no comments, the third has
 * comments off.
 */
export const simulatedVideos: readonly SimulatedVideo[] = Array.from({ length: 72 }, (_, i) => {
  const [subject, keyword] = SUBJECTS[i % SUBJECTS.length] ?? SUBJECTS[0]
  return {
    id: `sandbox${String(i).padStart(4, '0')}`,
    title: `${subject}, part ${Math.floor(i / SUBJECTS.length) + 1}`,
    seconds: 95 + ((i * 397) % 5400),
    views: 1_000_003 - i * 12_345,
    likes: 20_000 - i * 210,
    publishedAt: new Date(Date.UTC(2026, 0, 1) - i * 86_400_000).toISOString(),
    channel: CHANNELS[i % CHANNELS.length] ?? CHANNELS[0],
    keywords: i % 4 === 3 ? [] : [keyword, 'sandbox'],
    lines: LINES,
    comments: i === 1 ? 0 : i === 2 ? null : 47,
    isLive: i === 0,
  }
})

export const videoById = new Map(simulatedVideos.map((video) => [video.id, video]))

/** Every video has something of every query; better matches come first. */
export function searchVideos(query: string): SimulatedVideo[] {
  if (query.includes('sandbox-empty')) return []
  const words = query.toLowerCase().split(/\W+/).filter(Boolean)
  const hits = (video: SimulatedVideo) =>
    words.filter((word) => `${video.title} ${video.keywords.join(' ')}`.toLowerCase().includes(word)).length
  return [...simulatedVideos].sort((a, b) => hits(b) - hits(a))
}

export type SimulatedComment = {
  id: string
  text: string
  author: string
  channelId: string
  likes: number
  replies: number
}

/** The comments of a video from `from` on, at most `count`. */
export function commentsOf(video: SimulatedVideo, from: number, count: number): SimulatedComment[] {
  const last = Math.min(from + count, video.comments ?? 0)
  return Array.from({ length: Math.max(last - from, 0) }, (_, k) => {
    const i = from + k
    return {
      id: `UgSandbox${video.id.slice(-4)}${String(i).padStart(4, '0')}4AaABAg`,
      text: i === 0 ? `Thanks for watching "${video.title}".` : `Comment ${i} <3`,
      author: i === 0 ? video.channel.handle.slice(1) : `@viewer-${i}`,
      channelId: i === 0 ? video.channel.id : `UCsandboxviewer${String(i).padStart(9, '0')}`,
      likes: i === 0 ? 1200 : (i * 7) % 40,
      replies: i % 5 === 0 ? i : 0,
    }
  })
}
