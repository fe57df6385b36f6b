import { trimEnd } from '../../kit/trim-end'
import { times } from '../kit/seed'
import type { PlannedStep, PlayerAsk, PlayerPart, WantedCall } from './ask'
import { failureOf, resultValue, rowNumber, rowText, type ShownCall } from './calls'
import { type Chapter, makeChapter, onlyGaps, plainLine, type ReportBlock, textBlock } from './chapter'
import { contentWordsOf } from './subject'
import { type PlayerView, priceIn } from './view'
import type { Wish } from './wish'

const COUNTS: Record<string, number> = { two: 2, '2': 2, both: 2, three: 3, '3': 3 }
const RATIOS: readonly [pattern: RegExp, ratio: string][] = [
  [/\b(\d{1,2}:\d{1,2})\b/, ''],
  [/\b(banner|ultra[- ]?wide)\b/i, '21:9'],
  [/\b(wide|landscape|wallpaper|header|cover|horizontal)\b/i, '16:9'],
  [/\b(portrait format|in portrait|upright|vertical|tall|phone|poster)\b/i, '2:3'],
]
const KNOWN_RATIOS = new Set(['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'])

function ratioIn(text: string): string {
  for (const [pattern, ratio] of RATIOS) {
    const found = pattern.exec(text)
    if (found) return ratio || (KNOWN_RATIOS.has(found[1] ?? '') ? String(found[1]) : '1:1')
  }
  return '1:1'
}

const OF =
  /\b(?:images?|pictures?|photos?|illustrations?|logos?|posters?|drawings?|paintings?|icons?|banners?|covers?|wallpapers?|videos?|clips?|animations?)\s+(?:of|with|showing|that shows?|for|about)\s+(.+)$/i
const DRAWN = /\b(?:draw|paint|sketch|illustrate|animate)\s+(?:me\s+)?(.+)$/i
const NEXT = /,?\s+(?:and|then)\s+(?=(?:publish|put|tell|describe|say|save|use|check)\b)/i

/** The words that describe an image: what comes after “an image of”, else the subject. */
function promptIn({ text, subject }: Wish): string {
  const [line = ''] = text.split(/\n|[.!?]\s+(?=(?:then|and|after|tell|describe|say|publish)\b)/i)
  const [clause = ''] = ((OF.exec(line) ?? DRAWN.exec(line))?.[1] ?? subject).split(NEXT)
  return trimEnd(clause.trim(), '.,;:!?') || subject || 'a toll gate at dawn'
}

const SEVERAL =
  /\b(two|2|both|three|3)\s+(?:different\s+)?(?:images|pictures|versions|variants|logos|drawings|illustrations)\b/i

function imageCalls(wish: Wish): WantedCall[] {
  const [prompt, aspectRatio] = [promptIn(wish), ratioIn(wish.text)]
  return times(COUNTS[SEVERAL.exec(wish.text)?.[1]?.toLowerCase() ?? ''] ?? 1, (n) => ({
    name: 'image_generate',
    args: { prompt: n === 0 ? prompt : `${prompt}, version ${n + 1}`, aspectRatio },
  }))
}

const videoCalls = (wish: Wish): WantedCall[] => [
  { name: 'video_generate', args: { prompt: promptIn(wish), durationSeconds: 4, resolution: '720p' } },
]

/** What an image or a clip may cost: the tools bill what the models cost. */
const ESTIMATES = { image_generate: 135, video_generate: 1_100 }

const planOf = (calls: readonly WantedCall[], view: PlayerView): PlannedStep[] =>
  calls.map(({ name, args }) => ({
    title: `Make ${name === 'image_generate' ? 'an image' : 'a clip of 4 seconds'}: ${args.prompt}`.slice(0, 400),
    tools: [name],
    credits: priceIn(view, name) ?? ESTIMATES[name as keyof typeof ESTIMATES],
  }))

/** What was made, shown, and as a line of a table; else why it was not. */
function showMade(call: ShownCall | null, wanted: WantedCall): { block: ReportBlock; facts: string[] } | string {
  const made = resultValue(call) ?? {}
  const prompt = plainLine(String(wanted.args.prompt), 200)
  const url = rowText(made, 'url')
  const why = call ? failureOf(call) : 'the run has no tool for it, or too few credits.'
  if (!url) return `“${prompt}” was not made: ${why}`
  const isImage = wanted.name === 'image_generate'
  const size = [rowNumber(made, 'width'), rowNumber(made, 'height')]
  const isSized = size.every((n) => n !== null)
  const shown = isSized ? `${size.join(' × ')} pixels` : `${rowNumber(made, 'durationSeconds') ?? '–'} seconds`
  return {
    block: isImage ? { kind: 'image', url, alt: prompt } : textBlock(`[Watch the clip](${url})`),
    facts: [`[${prompt}](${url})`, shown, rowText(made, 'aspectRatio') || '–', rowText(made, 'model')],
  }
}

function madeChapter(ask: PlayerAsk, calls: readonly WantedCall[], kind: string): Chapter[] {
  const all = ask.all(calls).map((call, i) => showMade(call, calls[i] as WantedCall))
  const made = all.filter((each) => typeof each !== 'string')
  const gaps = all.filter((each) => typeof each === 'string')
  const title = made.length > 1 ? `The ${kind}s` : `The ${kind}`
  if (made.length === 0) return onlyGaps(title, ...gaps)
  const head = ['What', 'Size', 'Shape', 'Model']
  const table = { kind: 'table' as const, head, rows: made.map(({ facts }) => facts) }
  return [makeChapter({ title, gaps, blocks: [...made.map(({ block }) => block), table] })]
}

const NO_SUBJECT = /^(it|this|that|an?|some|the)?\s*(image|picture|logo|photo)s?$/i

function imageQuestion(wish: Wish): string | null {
  const prompt = promptIn(wish)
  const isOpen = contentWordsOf(prompt).length === 0 || NO_SUBJECT.test(prompt)
  return isOpen ? 'What should the image show?' : null
}

/** Images as the goal describes them. */
export const imagePart: PlayerPart = {
  topic: 'image',
  plan: (wish, view) => planOf(imageCalls(wish), view),
  question: imageQuestion,
  play: (ask, wish) => madeChapter(ask, imageCalls(wish), 'image'),
}

/** A short clip. */
export const videoPart: PlayerPart = {
  topic: 'video',
  plan: (wish, view) => planOf(videoCalls(wish), view),
  play: (ask, wish) => madeChapter(ask, videoCalls(wish), 'clip'),
}
