import { drawFrom } from '../kit/seed'
import { timeOfAge } from '../kit/time'
import { personHandle } from '../social/handles'
import { speakerAbout } from '../social/speaker'
import phrases from './phrases.json'
import type { SimulatedVideo } from './videos'

/** `isGone`: its account was removed since. */
export type SimulatedComment = ReturnType<typeof commentAt>

const VOICES = 6

/** The comments of a video from `from` on, at most `count`, best first; the channel's is pinned. */
export function commentsOf(video: SimulatedVideo, from: number, count: number): SimulatedComment[] {
  const last = Math.min(from + count, video.comments ?? 0)
  return Array.from({ length: Math.max(last - from, 0) }, (_, i) => commentAt(video, from + i))
}

function commentAt(video: SimulatedVideo, at: number) {
  const seed = `video comment ${video.topic} ${video.title} ${at}`
  const draw = drawFrom(seed)
  const minutes = String(Math.max(1, Math.round(video.seconds / 60)))
  const voice = drawFrom(`${video.title} voice ${draw.int('voice', 1, VOICES)}`)
  const own = at === 0
  const id = `Ug${draw.int('id', 36 ** 6, 36 ** 7 - 1).toString(36)}${String(at).padStart(4, '0')}4AaABAg`
  return {
    id,
    text: own
      ? `Thanks for watching "${video.title}".`
      : speakerAbout(video.topic, voice, { minutes }).say(`line ${at}`, phrases.comments),
    author: own ? video.channel.handle.slice(1) : `@${personHandle(seed)}`,
    channelId: own ? video.channel.id : `UC${draw.int('a', 36 ** 9, 36 ** 10 - 1).toString(36)}${'viewer000000'}`,
    likes: own ? Math.round(video.likes / 14) : Math.round((video.likes / 6 / (at + 1)) * draw.chance('likes')),
    replies: draw.chance('replies') < 0.25 ? draw.int('reply count', 1, 12) : 0,
    publishedMs: timeOfAge(own ? video.ageMinutes : video.ageMinutes * draw.chance('age')),
    isEdited: draw.chance('edited') < 0.12,
    isGone: !own && draw.chance('gone') < 0.04,
  }
}
