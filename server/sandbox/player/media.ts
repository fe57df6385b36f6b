import { trimEnd } from '../../kit/trim-end'
import type { PlannedStep, PlayerAsk, PlayerPart, WantedCall } from './ask'
import { failureOf, resultValue, rowNumber, rowText } from './calls'
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

/** The words that describe an image: what comes after “an image of”, else the subject. */
function promptIn(text: string, subject: string): string {
  const [line = ''] = text.split(/\n|[.!?]\s+(?=(?:then|and|after|tell|describe|say|publish)\b)/i)
  const after =
    /\b(?:images?|pictures?|photos?|illustrations?|logos?|posters?|drawings?|paintings?|icons?|banners?|covers?|wallpapers?|videos?|clips?|animations?)\s+(?:of|with|showing|that shows?|for|about)\s+(.+)$/i.exec(
      line,
    )?.[1] ?? /\b(?:draw|paint|sketch|illustrate|animate)\s+(?:me\s+)?(.+)$/i.exec(line)?.[1]
  const [clause = ''] = (after ?? subject).split(
    /,?\s+(?:and|then)\s+(?=(?:publish|put|tell|describe|say|save|use|check)\b)/i,
  )
  const prompt = trimEnd(clause.trim(), '.,;:!?')
  return prompt || subject || 'a toll gate at dawn'
}

function imageCalls({ text, subject }: Wish): WantedCall[] {
  const asked =
    /\b(two|2|both|three|3)\s+(?:different\s+)?(?:images|pictures|versions|variants|logos|drawings|illustrations)\b/i
  const count = COUNTS[asked.exec(text)?.[1]?.toLowerCase() ?? ''] ?? 1
  const prompt = promptIn(text, subject)
  const promptOf = (i: number) => (i === 0 ? prompt : `${prompt}, version ${i + 1}`)
  const aspectRatio = ratioIn(text)
  return Array.from({ length: count }, (_, i) => ({
    name: 'image_generate',
    args: { prompt: promptOf(i), aspectRatio },
  }))
}

const videoCalls = ({ text, subject }: Wish): WantedCall[] => [
  { name: 'video_generate', args: { prompt: promptIn(text, subject), durationSeconds: 4, resolution: '720p' } },
]

/** What an image or a clip may cost: the tools bill what the models cost. */
const ESTIMATES = { image_generate: 135, video_generate: 1_100 }

const planOf = (calls: readonly WantedCall[], view: PlayerView): PlannedStep[] =>
  calls.map(({ name, args }) => ({
    title: `Make ${name === 'image_generate' ? 'an image' : 'a clip of 4 seconds'}: ${args.prompt}`.slice(0, 400),
    tools: [name],
    credits: priceIn(view, name) ?? ESTIMATES[name as keyof typeof ESTIMATES],
  }))

function madeChapter(ask: PlayerAsk, calls: readonly WantedCall[], kind: 'image' | 'video'): Chapter[] {
  const blocks: ReportBlock[] = []
  const gaps: string[] = []
  const facts: string[][] = []
  for (const [i, call] of ask.all(calls).entries()) {
    const made = resultValue(call)
    const prompt = plainLine(String(calls[i]?.args.prompt), 200)
    const url = made ? rowText(made, 'url') : ''
    const why = call ? failureOf(call) : 'the run has no tool for it, or too few credits.'
    if (!made || !url) {
      gaps.push(`“${prompt}” was not made: ${why}`)
      continue
    }
    blocks.push(kind === 'image' ? { kind: 'image', url, alt: prompt } : textBlock(`[Watch the clip](${url})`))
    const size = [rowNumber(made, 'width'), rowNumber(made, 'height')]
    const shown = size.every((n) => n !== null)
      ? `${size.join(' × ')} pixels`
      : `${rowNumber(made, 'durationSeconds') ?? '–'} seconds`
    facts.push([`[${prompt}](${url})`, shown, rowText(made, 'aspectRatio') || '–', rowText(made, 'model')])
  }
  const title = kind === 'image' ? (facts.length > 1 ? 'The images' : 'The image') : 'The clip'
  if (facts.length === 0) return onlyGaps(title, ...gaps)
  const table = { kind: 'table' as const, head: ['What', 'Size', 'Shape', 'Model'], rows: facts }
  return [makeChapter({ title, gaps, blocks: [...blocks, table] })]
}

const imageQuestion = ({ text, subject }: Wish) =>
  contentWordsOf(promptIn(text, subject)).length === 0 ||
  /^(it|this|that|an?|some|the)?\s*(image|picture|logo|photo)s?$/i.test(promptIn(text, subject))
    ? 'What should the image show?'
    : null

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
  play: (ask, wish) => madeChapter(ask, videoCalls(wish), 'video'),
}
