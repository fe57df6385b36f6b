import { mixedChance } from './home-text'
import type { SimulatedHome } from './homes'

export const photoCount = (home: SimulatedHome): number => 3 + Math.floor(mixedChance(home, 6, 8) * 5)
export const hasFloorPlan = (home: SimulatedHome): boolean => mixedChance(home, 7, 11) < 0.6

const PHOTO_TAGS = ['livingRoom', 'kitchen', 'bedroom', 'bathroom', 'facade', 'views', 'terrace']

/** Its photos, then its plan. */
export function imagesOf(home: SimulatedHome, origin: string) {
  const url = (i: number) => `${origin}/idealista/photos/${home.code}/${i}.png`
  const count = photoCount(home)
  const photos = Array.from({ length: count }, (_, i) => ({
    url: url(i + 1),
    tag: PHOTO_TAGS[i % PHOTO_TAGS.length] ?? '',
  }))
  return hasFloorPlan(home) ? [...photos, { url: url(count + 1), tag: 'plan' }] : photos
}

/** The tag of a home's n-th image, from 1; undefined where it has none. */
export const photoTag = (home: SimulatedHome, n: number): string | undefined => imagesOf(home, '')[n - 1]?.tag
