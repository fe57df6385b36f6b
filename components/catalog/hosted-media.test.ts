import { expect, test } from 'vitest'
import { findHostedMedia } from './hosted-media'

const BASE = 'https://gate.example'

test('finds hosted files anywhere in a result, each once', () => {
  const result = {
    url: `${BASE}/files/0a.png`,
    again: `${BASE}/files/0a.png`,
    rows: [{ video: `${BASE}/files/0b.mp4` }, null, 5],
  }
  expect(findHostedMedia(result, BASE)).toEqual([
    { kind: 'image', path: '/files/0a.png' },
    { kind: 'video', path: '/files/0b.mp4' },
  ])
})

test.each([
  'https://elsewhere.example/files/0a.png',
  'https://gate.example.evil/files/0a.png',
  `${BASE}/files/../api/v1/key.png`,
  `${BASE}/files/0a.pdf`,
  `${BASE}/files/0a.png?x=.png`,
  `see ${BASE}/files/0a.png`,
])('ignores %s', (url) => {
  expect(findHostedMedia({ url }, BASE)).toEqual([])
})
