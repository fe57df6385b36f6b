import { type Draw, drawFrom } from '../kit/seed'
import { sentenceCase } from '../prose/capitals'
import { hasSection } from '../prose/phrasebook'
import { ENGLISH_VOICE, pickFilled, slotsOf } from '../prose/text'
import { type Topic, topicOf } from '../prose/topic'

type Slots = ReturnType<typeof slotsOf>
type Known = { topic: Topic; slots: Slots }

/** What was worked out last; the same is asked again for every row of a list. */
const known = new Map<string, Known>()
const MAX_KNOWN = 200

function knownOf(text: string): Known {
  const found = known.get(text)
  if (found) return found
  const topic = topicOf(text)
  const slots = slotsOf(topic, drawFrom(`social ${topic.key}`), ENGLISH_VOICE)
  if (known.size >= MAX_KNOWN) known.clear()
  const options = hasSection(topic, 'options') ? {} : { best: undefined, second: undefined }
  const made = { topic, slots: { ...slots, ...options, lead: topic.head, Lead: sentenceCase(topic.head) } }
  known.set(text, made)
  return made
}

/** A topic by its text; the same is asked for every row of a list. */
export const topicKnownAs = (text: string): Topic => knownOf(text).topic

const SLOT = /\{(\w+)\}/g

/** Writes as people do who post about a topic: what they say of it is what its pages say. */
export function speakerAbout(text: string, draw: Draw, more: Record<string, string> = {}) {
  const { topic, slots } = knownOf(text)
  const [reason = '', reason2 = ''] = draw.shuffle('reasons', ENGLISH_VOICE.book.reasons)
  const own = {
    ...slots,
    ...more,
    reason,
    reason2,
    Reason: sentenceCase(reason),
    concern: draw.pick('concern', ENGLISH_VOICE.book.concerns),
  }
  return {
    topic,
    /** One of the texts, filled in; about prices and options only for topics that have them. */
    say: (name: string, texts: readonly string[]): string => pickFilled({ draw, name, texts, slots: own }),
    /** All of the texts that fit, filled in, in an order of their own. */
    sayAll: (name: string, texts: readonly string[]): string[] =>
      draw
        .shuffle(name, texts)
        .filter((text) =>
          [...text.matchAll(SLOT)].every(([, slot = '']) => own[slot as keyof typeof own] !== undefined),
        )
        .map((text) => pickFilled({ draw, name, texts: [text], slots: own })),
  }
}
