import { expect, test } from 'vitest'
import { successResult } from './results'

const url = 'https://tollgate.example/files/abc.png'
const large = { mimeType: 'image/png', url, bytes: 2_000_000 }
const small = { mimeType: 'image/png', base64: 'AAAA' }
const contentFor = (takesLinks: boolean) =>
  successResult({ result: { url }, credits: 2, images: [small, large] }, { requestId: 'r', takesLinks }).content

test('a small image is content, a large one a link', () => {
  expect(contentFor(true)).toEqual([
    { type: 'text', text: JSON.stringify({ url }) },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'resource_link', uri: url, name: 'abc.png', mimeType: 'image/png', size: 2_000_000 },
  ])
})

test('a client of a revision without links has the URL in the text alone', () => {
  expect(contentFor(false).map(({ type }) => type)).toEqual(['text', 'image'])
})
