import { LRUCache } from 'lru-cache'
import { type Draw, drawFrom } from '../kit/seed'
import { sentenceCase } from '../kit/text'
import { hasSection } from '../prose/phrasebook'
import { canFill, pickFilled, type Slots, slotsOf } from '../prose/text'
import { type Topic, topicOf } from '../prose/topic'
import { ENGLISH_VOICE } from '../prose/voices'
import { plainWord } from '../prose/words'

/** By the text of a topic; the same is asked for every row of a list. */
const known = new LRUCache<string, { topic: Topic; slots: Slots }>({ max: 200, memoMethod: makeKnown })

function makeKnown(text: string) {
  const topic = topicOf(text)
  const slots = slotsOf(topic, drawFrom(`social ${topic.key}`), ENGLISH_VOICE)
  const options = hasSection(topic, 'options') ? {} : { best: undefined, second: undefined }
  return { topic, slots: { ...slots, ...options, lead: topic.head, Lead: sentenceCase(topic.head) } }
}

/** A topic by its text; the same is asked for every row of a list. */
export const topicKnownAs = (text: string): Topic => known.memo(text).topic

/** Writes as people do who post about a topic: what they say of it is what its pages say. */
export function speakerAbout(text: string, draw: Draw, more: Slots = {}) {
  const { topic, slots } = known.memo(text)
  const [reason = '', reason2 = ''] = draw.shuffle('reasons', ENGLISH_VOICE.book.reasons)
  const concern = draw.pick('concern', ENGLISH_VOICE.book.concerns)
  const own: Slots = { ...slots, ...more, reason, reason2, Reason: sentenceCase(reason), concern }
  return {
    topic,
    /** One of the texts, filled in; about prices and options only for topics that have them. */
    say: (name: string, texts: readonly string[]): string => pickFilled({ draw, name, texts, slots: own }),
    /** All of the texts that fit, filled in, in an order of their own. */
    sayAll: (name: string, texts: readonly string[]): string[] =>
      draw
        .shuffle(name, texts)
        .filter((one) => canFill(one, own))
        .map((one) => pickFilled({ draw, name, texts: [one], slots: own })),
  }
}

/**
 * The words of a topic as texts that fit into an id: all of them where they do, else as many as
 * possible that follow each other. The better ones come first, and there is at least one.
 */
export function fittingTexts(topic: Topic, fits: (text: string) => boolean): string[] {
  const whole = [topic.text.toLowerCase(), topic.head.toLowerCase(), topic.words.join(' ').toLowerCase()]
  const found = [...whole, ...whole.map(plainWord)].find(fits)
  if (found !== undefined) return [found]
  const words = topic.words.map(plainWord)
  for (let size = words.length - 1; size > 0; size--) {
    const parts = words.slice(0, words.length - size + 1).map((_, from) => words.slice(from, from + size).join(' '))
    const fitting = parts.filter(fits)
    if (fitting.length > 0) return fitting
  }
  // One long word: its beginning.
  for (let text = words[0] ?? ''; text.length > 1; text = text.slice(0, -1)) if (fits(text)) return [text]
  return ['']
}
