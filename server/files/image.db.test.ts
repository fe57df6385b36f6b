import { expect, test } from 'vitest'
import { makeOwner } from '../../tests/support/owners'
import { prisma } from '../db'
import { readHostedImage, readOrLinkImage } from './image'
import { hostFile } from './put'

const host = async (contentType: string, size = 10) => {
  const { id: ownerId } = await makeOwner(0)
  return hostFile({ ownerId, bytes: new Uint8Array(size).fill(7), contentType })
}

test('a hosted image is read whole', async () => {
  const { url } = await host('image/png')
  expect(await readHostedImage(url, 10)).toEqual({
    mimeType: 'image/png',
    base64: Buffer.alloc(10, 7).toString('base64'),
  })
})

test('one of more bytes than asked for is not', async () => {
  const { url } = await host('image/png', 11)
  expect(await readHostedImage(url, 10)).toBeNull()
  expect(await readOrLinkImage(url, 10)).toEqual({ url, mimeType: 'image/png', bytes: expect.any(Number) })
})

test('a file that is not an image, a URL elsewhere and a deleted file are null', async () => {
  const text = await host('text/plain')
  const { id: ownerId } = await makeOwner(0)
  const { id } = await prisma().file.create({
    data: { id: `${'0'.repeat(32)}.png`, ownerId, contentType: 'image/png', bytes: 5 },
  })
  const gone = text.url.replace(text.id, id)
  for (const url of [text.url, gone, 'https://example.com/files/x.png', `${text.url}/../x`, ''])
    expect(await readHostedImage(url, 10)).toBeNull()
})
