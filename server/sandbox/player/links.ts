import { type PlannedStep, type PlayerAsk, type PlayerPart, pricedStep } from './ask'
import { failureOf, resultValue, rowLine, rowText, type ShownCall } from './calls'
import { type Chapter, makeChapter, onlyGaps } from './chapter'
import { pagesChapters, readCall } from './pages'
import type { PlayerView } from './view'
import type { Wish } from './wish'

const isImage = (url: string) => /\.(png|jpe?g|webp|gif)(\?|$)/i.test(url)
const wantsShot = ({ text }: Wish) => /\bscreenshots?\b/i.test(text)

/** The tool for each URL of the goal: an image is looked at, a page read or photographed. */
const callsOf = (wish: Wish) =>
  wish.urls.map((url) => {
    const question = wish.subject ? `${wish.subject}?` : 'What does it show?'
    if (isImage(url)) return { name: 'image_analyze', args: { source: url, question } }
    return wantsShot(wish) ? { name: 'web_screenshot', args: { url } } : readCall(url)
  })

const plan = (wish: Wish, view: PlayerView): PlannedStep[] =>
  callsOf(wish).map(({ name }, i) => {
    const title = `${name === 'web_read_url' ? 'Read' : 'Look at'} ${wish.urls[i]}`
    return pricedStep(view, title.slice(0, 400), [name])
  })

function lookedAt(call: ShownCall): Chapter[] {
  const value = resultValue(call)
  const source = rowText(call.args, 'source') || rowText(call.args, 'url')
  const isShot = call.name === 'web_screenshot'
  const title = isShot ? 'The screenshot' : 'What the image shows'
  if (!value) return onlyGaps(title, `${source} could not be looked at: ${failureOf(call)}`)
  const url = rowText(value, 'url')
  const lead = rowLine(value, 'text', 600) || `This is how ${source} looks:`
  return [makeChapter({ title, lead, blocks: [url && isShot && { kind: 'image', url, alt: 'Screenshot' }] })]
}

function play(ask: PlayerAsk, wish: Wish): Chapter[] {
  const calls = ask.all(callsOf(wish)).filter((call) => call !== null)
  const pages = calls.filter(({ name }) => name === 'web_read_url')
  const read = pages.length > 0 ? pagesChapters(pages, { title: 'What the page says', subject: wish.subject }) : []
  return [...read, ...calls.filter((call) => !pages.includes(call)).flatMap(lookedAt)]
}

/** The URLs that a goal names: pages are read, images looked at. */
export const linksPart: PlayerPart = { topic: 'links', plan, play }
