import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { probeImage } from '../../tools/media/probe'
import { describeImage, describeImageUri } from './describe-image'
import { makeImageFile } from './image-file'
import { planImage } from './plan'
import { textOf } from './svg'

const SMALL = { width: 96, height: 64 }

describe('an image', () => {
  test.each([
    'A lighthouse at night',
    'a forest',
    'city skyline at dusk',
    'mountains',
    'a desert with a cactus',
    'winter in the alps',
    'a rocket in space',
    'quarterly growth',
    'the logo of a coffee house',
    'ünïcode 灯台 🗼',
  ])('of “%s” has its size, is small, and is the same each time', async (prompt) => {
    const size = { width: 768, height: 512 }
    const bytes = await makeImageFile(prompt, size)
    expect(probeImage(bytes)).toEqual({ ...size, contentType: 'image/png' })
    expect(bytes.length).toBeLessThan(300_000)
    const pixels = await sharp(bytes).resize(64, 64).raw().toBuffer()
    expect(new Set(pixels.toString('hex').match(/.{6}/g)).size).toBeGreaterThan(8)
    expect((await makeImageFile(prompt, size)).equals(bytes)).toBe(true)
    expect((await makeImageFile(`${prompt} again`, size)).equals(bytes)).toBe(false)
  })

  test('is as small at the largest size', async () => {
    expect((await makeImageFile('a forest at night', { width: 1536, height: 1024 })).length).toBeLessThan(300_000)
  })

  test.each([
    [1, 1],
    [3, 500],
    [500, 3],
  ])('of %i × %i pixels is made too', async (width, height) => {
    expect(probeImage(await makeImageFile('a city at night', { width, height }))).toMatchObject({ width, height })
  })

  test('carries its prompt and says who drew it', async () => {
    const bytes = await makeImageFile('a fjörd', SMALL)
    expect(textOf(bytes, 'Software')).toContain('sandbox')
    expect(textOf(bytes, 'Description')).toBe('a fjörd')
    expect(textOf(Buffer.from('no image'), 'Software')).toBeNull()
  })
})

test.each([
  ['A lighthouse at night', { scene: 'sea', time: 'night', isLogo: false }, ['lighthouse']],
  ['a toll gate at dawn, as a logo', { scene: 'hills', time: 'dawn', isLogo: true }, ['toll gate']],
  ['Sunset in the Alps', { scene: 'mountains', time: 'dusk' }, []],
  ['two boats', { scene: 'sea', time: 'day' }, ['sailing boat']],
  ['market share by quarter', { scene: 'abstract', time: 'day' }, []],
])('“%s” is planned as %j with %j', (prompt, plan, motifs) => {
  expect(planImage(prompt)).toMatchObject(plan)
  expect(planImage(prompt).motifs.map(({ name }) => name)).toEqual(motifs)
})

test('the words that a prompt names give their color', async () => {
  const described = async (prompt: string) => describeImage(await makeImageFile(prompt, SMALL))
  expect(await described('green hills')).toMatch(/green \(/)
  expect(await described('black and white ink drawing of hills, woodcut')).not.toMatch(/blue|green|red/)
})

describe('a description', () => {
  test('of an image that the sandbox drew names its prompt, what it shows, size and colors', async () => {
    expect(await describeImage(await makeImageFile('A lighthouse at night', SMALL))).toMatch(
      /^A wide PNG image of 96 × 64 pixels\. The sandbox drew it for “A lighthouse at night”: a lighthouse in .*sea.*night\. Its main colors are .*dark blue/,
    )
  })

  test('of another image has what can be known of it', async () => {
    const gate =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAgMAAAAqbBEUAAAADFBMVEW/4+CwKir///9VYGKtKgw8AAAAK0lEQVR42mNgGNQgNICqnKjQVSAYQDYngHZuowvn///Q+P9QQDwHASjmAAA3cZPWwKGXMwAAAABJRU5ErkJggg=='
    expect(await describeImageUri(gate)).toMatch(/^A square PNG image of 48 × 48 pixels\. Its main colors are /)
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
    expect(await describeImage(gif)).toBe('A square GIF image of 1 × 1 pixels.')
  })

  test('is null for what is not an image or cannot be read', async () => {
    expect(await describeImage(Buffer.from('this is not an image'))).toBeNull()
    expect(await describeImageUri('https://example.com/image.png')).toBeNull()
    const cut = (await makeImageFile('a gate', SMALL)).subarray(0, 200)
    expect(await describeImage(cut)).toMatch(/^A wide PNG image of 96 × 64 pixels\./)
  })
})
