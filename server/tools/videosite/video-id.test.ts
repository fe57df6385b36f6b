import { expect, test } from 'vitest'
import { parseVideoId, VideoId } from './video-id'

const ID = 'dQw4w9WgX-_'

test.each([
  ID,
  `https://www.youtube.com/watch?v=${ID}`,
  `http://youtube.com/watch?v=${ID}&t=42s&list=PL1&index=2#top`,
  `https://www.youtube.com/watch?list=PL1&v=${ID}`,
  `https://www.youtube.com/watch/${ID}`,
  `https://m.youtube.com/watch?app=desktop&v=${ID}`,
  `https://music.youtube.com/watch?v=${ID}&feature=share`,
  `https://youtu.be/${ID}?si=AbCdEf&t=9`,
  `youtu.be/${ID}`,
  `//youtu.be/${ID}/`,
  `WWW.YouTube.com/watch?v=${ID}`,
  `https://www.youtube.com/shorts/${ID}?feature=share`,
  `https://www.youtube.com/embed/${ID}?autoplay=1`,
  `https://www.youtube-nocookie.com/embed/${ID}`,
  `https://www.youtube.com/live/${ID}?si=x`,
  `https://www.youtube.com/v/${ID}`,
  `https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D${ID}%26feature%3Dshare`,
])('%s names the video', (text) => {
  expect(parseVideoId(text)).toBe(ID)
})

test.each([
  '',
  'short',
  `${ID}x`,
  'twelve chars',
  `https://example.com/watch?v=${ID}`,
  `https://youtube.com.example.com/watch?v=${ID}`,
  `https://notyoutube.com/watch?v=${ID}`,
  `https://example.com/?u=https://youtu.be/${ID}`,
  `ftp://youtu.be/${ID}`,
  `javascript:alert("${ID}")`,
  'https://www.youtube.com/watch?v=tooshort',
  'https://www.youtube.com/watch',
  'https://www.youtube.com/@channel',
  `https://www.youtube.com/playlist?list=${ID}`,
  `https://www.youtube.com/channel/${ID}`,
  'https://youtu.be/',
  'https://www.youtube.com/attribution_link?u=%2Fattribution_link%3Fu%3D%2Fattribution_link',
  'http://[::1',
])('%s names no video', (text) => {
  expect(parseVideoId(text)).toBeNull()
})

test('the parameter is trimmed, and refused with a message that says what it must be', () => {
  expect(VideoId.parse(`  https://youtu.be/${ID} `)).toBe(ID)
  expect(VideoId.safeParse('nope').error?.issues).toMatchObject([{ message: expect.stringMatching(/11-character id/) }])
  expect(VideoId.safeParse(`https://youtu.be/${ID}?${'x'.repeat(3000)}`).success).toBe(false)
  expect(VideoId.safeParse(42).success).toBe(false)
})
