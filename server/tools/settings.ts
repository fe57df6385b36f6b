import type { Settings } from '../env'
import { cryptoSettings } from './crypto/settings'
import { forumSettings } from './forum/settings'
import { marketplaceSettings } from './marketplace/settings'
import { microblogSettings } from './microblog/settings'
import { propertySettings } from './property/settings'
import { videositeSettings } from './videosite/settings'
import { webSettings } from './web/settings'

/** The settings of every tool group. Written by `npm run generate`. */
export const toolSettings: readonly Settings[] = [
  cryptoSettings,
  forumSettings,
  marketplaceSettings,
  microblogSettings,
  propertySettings,
  videositeSettings,
  webSettings,
]
