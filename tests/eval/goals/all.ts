import type { Goal } from '../goal'
import { cryptoGoals } from './crypto'
import { dataGoals } from './data'
import { generalGoals } from './general'
import { habitGoals } from './habits'
import { mediaGoals } from './media'
import { realEstateGoals } from './real-estate'
import { researchGoals } from './research'
import { socialGoals } from './social'

/** Every goal of the evaluation. */
export const allGoals: readonly Goal[] = [
  ...researchGoals,
  ...socialGoals,
  ...cryptoGoals,
  ...realEstateGoals,
  ...mediaGoals,
  ...dataGoals,
  ...generalGoals,
  ...habitGoals,
]
