import type { UnknownRecord } from '../../kit/record'
import { stableJson } from '../../kit/stable-json'
import type { ShownCall } from './calls'
import type { Chapter } from './chapter'
import { hasTool, type PlayerView, priceIn } from './view'
import type { Wish, WishTopic } from './wish'

/** A call that is to be made. */
export type WantedCall = { name: string; args: UnknownRecord }

/** What is played needs these calls before it can go on. */
export class PendingCalls extends Error {
  constructor(readonly calls: WantedCall[]) {
    super('calls are pending')
  }
}

/**
 * What a part of the play asks of the conversation. The play is run anew for every request, from
 * its beginning: what has a result in the messages goes on, what has none becomes the next call.
 */
export type PlayerAsk = {
  /** The results of calls that do not depend on each other; null for one that cannot be made. */
  all: (calls: readonly WantedCall[]) => (ShownCall | null)[]
  one: (name: string, args: UnknownRecord) => ShownCall | null
  has: (tool: string) => boolean
  view: PlayerView
}

/** How a result says that its call was not made, and may be made again. */
const NOT_MADE = /^This call (of \w+ )?was not made/

/** Tools whose results of an earlier turn still hold: nobody pays twice for them. */
const KEEPS = /^(web_search|web_read_url|forum_|videosite_|property_|marketplace_search|marketplace_actor)/

/** More calls than a goal's play ever needs: one that makes as many goes in circles. */
const MAX_CALLS_OF_TURN = 40

/** Reads a conversation on behalf of a play. */
export function makeAsk(view: PlayerView): PlayerAsk {
  const { calls, offered } = view
  const has = (tool: string) => hasTool(view, tool)
  const resultOf = ({ name, args }: WantedCall) => {
    // Wires may change the order of keys.
    const isSame = (made: ShownCall) =>
      made.name === name && stableJson(made.args) === stableJson(args) && made.text !== '' && !NOT_MADE.test(made.text)
    const before = KEEPS.test(name) ? view.earlier : []
    return calls.findLast(isSame) ?? before.findLast((made) => isSame(made) && !made.failed)
  }
  /** After a summary the results before it are gone: what was asked is not asked again. */
  const isOver = view.mustFinish || view.summary !== null || calls.length > MAX_CALLS_OF_TURN
  const canPay = ({ name }: WantedCall) => (priceIn(view, name) ?? 0) <= (view.creditsLeft ?? Number.POSITIVE_INFINITY)
  const canMake = (wanted: WantedCall) =>
    !isOver && canPay(wanted) && (offered.has(wanted.name) || (offered.has('tools_find') && has(wanted.name)))

  const all = (wanted: readonly WantedCall[]) => {
    const found = wanted.map((each) => resultOf(each) ?? null)
    const missing = wanted.filter((each, i) => !found[i] && canMake(each))
    if (missing.length > 0) throw new PendingCalls(missing)
    return found
  }
  return { all, one: (name, args) => all([{ name, args }])[0] ?? null, has, view }
}

/** Runs parts that do not depend on each other, so that their next calls are made together. */
export function playTogether<T>(parts: readonly (() => T[])[]): T[] {
  const pending: WantedCall[] = []
  const played = parts.flatMap((part) => {
    try {
      return part()
    } catch (error) {
      if (!(error instanceof PendingCalls)) throw error
      pending.push(...error.calls)
      return []
    }
  })
  if (pending.length > 0) throw new PendingCalls(pending)
  return played
}

/** A step of a plan as `present_plan` takes it. */
export type PlannedStep = { title: string; tools: string[]; credits: number }

/** A step that calls these tools so many times, with their prices. */
export const pricedStep = (view: PlayerView, title: string, tools: string[], times = 1): PlannedStep => ({
  title,
  tools,
  credits: times * tools.reduce((sum, tool) => sum + (priceIn(view, tool) ?? 0), 0),
})

export const freeStep = (title: string, ...tools: string[]): PlannedStep => ({ title, tools, credits: 0 })

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
