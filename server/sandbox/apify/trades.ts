import type { Trade } from './item'
import { PEOPLE_TRADES } from './people-trades'
import { THING_TRADES } from './thing-trades'

/** Kinds of actors; of two that fit a search, the first is meant. */
export const TRADES: readonly Trade[] = [...PEOPLE_TRADES, ...THING_TRADES]
