import type { PlayerAsk } from './ask'
import type { Chapter } from './chapter'
import type { PlayerView } from './view'
import type { Wish, WishTopic } from './wish'

/** A step of a plan as `present_plan` takes it. */
export type PlannedStep = { title: string; tools: string[]; credits: number }

/** How one kind of goal is played. */
export type PlayerPart = {
  topic: WishTopic
  /** The steps that a plan shows; none where the run lacks the tools. */
  plan: (wish: Wish, view: PlayerView) => PlannedStep[]
  /** What must be known first, as a question to the person; null: nothing. */
  question?: (wish: Wish) => string | null
  /** The chapters, once every call that they need has a result. */
  play: (ask: PlayerAsk, wish: Wish) => Chapter[]
}
