import { expect, test } from 'vitest'
import type { OfferedModel } from '@/server/models/shape'
import { mediaPriceRange } from './price'

const of = (given: Partial<OfferedModel>) => mediaPriceRange({ image: null, video: null, ...given } as OfferedModel)

test('a chat model has no engine price', () => {
  expect(of({})).toBeNull()
})

test('an image engine has one price, a video engine those of its resolutions', () => {
  expect(of({ image: { creditsPerImage: 134 } })).toEqual({ least: 134, most: 134, unit: 'an image' })
  const video = {
    seconds: [4],
    resolutions: ['480p', '4k'],
    ratios: ['16:9'],
    creditsPerSecond: { '4k': 900, '480p': 90 },
  }
  expect(of({ video })).toEqual({ least: 90, most: 900, unit: 'a second' })
})
