import { expect, test } from 'vitest'
import type { OfferedModel } from '@/server/models/shape'
import { mediaPriceRange } from './price'

const of = (given: Partial<OfferedModel>) => mediaPriceRange({ image: null, video: null, ...given } as OfferedModel)

test('a chat model has no media price', () => {
  expect(of({})).toBeNull()
})

test('an image model has one price, a video model one per resolution', () => {
  expect(of({ image: { creditsPerImage: 134 } })).toEqual({ min: 134, max: 134, unit: 'per image' })
  const video = {
    seconds: [4],
    resolutions: ['480p', '4k'],
    ratios: ['16:9'],
    creditsPerSecond: { '4k': 900, '480p': 90 },
  }
  expect(of({ video })).toEqual({ min: 90, max: 900, unit: 'per second' })
})
