import { recordsIn, type UnknownRecord } from '../../kit/record'
import { messageText, type ScriptStep } from '../script/script'
import { makeAsk, PendingCalls, type PlayerAsk, type PlayerPart, playTogether, type WantedCall } from './ask'
import { resultValue } from './calls'
import { type Chapter, makeChapter } from './chapter'
import { coinsPart } from './coins'
import { dataPart } from './data'
import { playSave } from './dataset'
import { homesPart } from './homes'
import { linksPart } from './links'
import { imagePart, videoPart } from './media'
import { otherStep } from './other-requests'
import { planArguments, thoughtAbout } from './plan'
import { writeReport } from './report'
import { researchPart } from './research'
import { scrapePart } from './scrape'
import { shellPart } from './shell'
import { playSite } from './site'
import { socialPart } from './social'
import { structuredAnswer } from './structured'
import { isListed, type PlayerView, readPlayerView } from './view'
import { isRefused, readWish, type Wish } from './wish'

/** Every kind of goal, in the order of a report. */
const PARTS: readonly PlayerPart[] = [
  homesPart,
  coinsPart,
  linksPart,
  researchPart,
  socialPart,
  scrapePart,
  dataPart,
  imagePart,
  videoPart,
  shellPart,
]

const MAX_QUESTIONS = 2
const NO_SUBJECT = 'What should I do? Name a subject, a place, a coin or an image.'
/** How a script's text comes: in so many pieces, with a pause between two, so that it is seen. */
const PACE = { chunks: 32, chunkDelayMs: 12 }

const isPlanDue = ({ offered, calls }: PlayerView) =>
  offered.has('present_plan') &&
  !calls.some((call) => call.name === 'present_plan' && resultValue(call)?.approved === true)

const TOPIC_WORDS: Partial<Record<PlayerPart['topic'], RegExp>> = {
  research: /\b(web|research|search(ing)?)\b/i,
  social: /\b(forums?|reddit|videos?|posts?)\b/i,
  image: /\bimages?\b/i,
  video: /\b(videos?|clips?)\b/i,
  coins: /\b(prices?|coins?)\b/i,
  homes: /\bhomes?\b/i,
}

/** The parts that a goal asks for, without those that the person refused. */
function partsOf(wish: Wish): PlayerPart[] {
  const wanted = PARTS.filter(({ topic }) => wish.topics.has(topic))
  const left = wanted.filter(({ topic }) => !(wanted.length > 1 && isRefused(wish, TOPIC_WORDS[topic] ?? /$^/)))
  return left.length > 0 ? left : wanted
}

/** What must be asked before a plan is made; null: nothing, or it was asked before. */
function questionFor(parts: readonly PlayerPart[], wish: Wish, { calls, offered }: PlayerView): string | null {
  const asked = calls.filter(({ name }) => name === 'ask_user')
  if (!offered.has('ask_user') || asked.length >= MAX_QUESTIONS) return null
  const isEmpty = parts.length === 0 && !wish.isGreeting
  const questions = isEmpty ? [NO_SUBJECT] : parts.flatMap((part) => part.question?.(wish) ?? [])
  return questions.find((question) => !asked.some(({ args }) => args.question === question)) ?? null
}

const GREETING = makeChapter({
  title: 'Hello',
  lead: 'Hello. I am the script that plays an agent here. Give me a goal: a subject to research, homes in a city, prices of coins, an image, or a site to publish.',
})
const NO_GOAL = makeChapter({
  title: 'Nothing to do',
  lead: 'The goal names nothing that I could look up or make.',
  gaps: ['A subject: name what to research, a city with homes, coins, an image, or a site to publish.'],
})

/** Every chapter of the answer. Throws PendingCalls for what must be called first. */
function chaptersOf(ask: PlayerAsk, wish: Wish): Chapter[] {
  const parts = partsOf(wish)
  if (parts.length === 0 && !wish.topics.has('site')) return [wish.isGreeting ? GREETING : NO_GOAL]
  const found = playTogether(parts.map((part) => () => part.play(ask, wish)))
  const made = [...found, ...playSave(ask, wish)]
  return [...made, ...playSite(ask, wish, made)]
}

/** Calls as a model makes them; tools whose parameters it does not know are found first. */
function toCalls(pending: readonly WantedCall[], view: PlayerView): NonNullable<ScriptStep['toolCalls']> {
  const isKnown = (name: string) => view.offered.has(name) || isListed(view, name)
  const known = pending.filter(({ name }) => isKnown(name))
  const names = [...new Set(pending.map(({ name }) => name))].filter((name) => !isKnown(name))
  return [
    ...known.map(({ name, args }) =>
      view.offered.has(name)
        ? { name, arguments: args }
        : { name: 'tools_call', arguments: { name, input: JSON.stringify(args) } },
    ),
    ...(names.length > 0 ? [{ name: 'tools_find', arguments: { names } }] : []),
  ]
}

const wasRefusedSchema = (body: UnknownRecord): boolean =>
  recordsIn(body.messages).some(
    (message) => message.role === 'user' && messageText(message).startsWith('Your answer does not conform'),
  )

/** The answer, or as much of it as was not written yet. */
function answerStep(view: PlayerView, wish: Wish, chapters: readonly Chapter[], isPlain: boolean): ScriptStep {
  if (view.schema) return { text: structuredAnswer(view, chapters, { subject: wish.subject, isPlain }) }
  const earlier = makeChapter({
    title: 'From earlier steps',
    lead: view.summary?.split('\n').slice(1, 12).join('\n').trim() ?? '',
    gaps: [
      view.mustFinish && 'The credits that are left are few, so I stopped looking.',
      view.summary && 'Earlier results were summarized, so I answer from what is left of them.',
    ],
  })
  const text = writeReport([...chapters, earlier])
  return { ...PACE, text: view.begun !== '' && text.startsWith(view.begun) ? text.slice(view.begun.length) : text }
}

/**
 * How the sandbox model plays an agent that was given no script: a script of fixed rules reads the
 * goal, shows a plan where one is due, asks what is missing, calls the tools that fit, and writes
 * half a page of what they returned. It is run anew for every request, so the same conversation has
 * the same next step. Null: nobody plays an agent.
 */
export function playAgentStep(body: UnknownRecord): ScriptStep | null {
  const other = otherStep(body)
  if (other) return other
  const view = readPlayerView(body)
  if (!view) return null
  const wish = readWish(view)
  const isPlain = wasRefusedSchema(body)
  if (isPlanDue(view)) {
    const parts = partsOf(wish)
    const question = questionFor(parts, wish, view)
    const name = question ? 'ask_user' : 'present_plan'
    const args = question ? { question } : planArguments(parts, wish, view)
    return { reasoning: thoughtAbout([name]), toolCalls: [{ name, arguments: args }] }
  }
  try {
    return answerStep(view, wish, isPlain && view.schema ? [] : chaptersOf(makeAsk(view), wish), isPlain)
  } catch (error) {
    if (!(error instanceof PendingCalls)) throw error
    const toolCalls = toCalls(error.calls, view)
    const names = error.calls.map(({ name }) => (isListed(view, name) || view.offered.has(name) ? name : 'tools_find'))
    return { reasoning: thoughtAbout(names), toolCalls }
  }
}
