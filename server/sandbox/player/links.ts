import { type PlannedStep, type PlayerAsk, type PlayerPart, pricedStep } from './ask'
import { failureOf, resultValue, rowLine, rowText } from './calls'
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

function play(ask: PlayerAsk, wish: Wish): Chapter[] {
  const calls = ask.all(callsOf(wish))
  const pages = calls.filter((call) => call?.name === 'web_read_url')
  const others = calls.flatMap((call): Chapter[] => {
    if (!call || call.name === 'web_read_url') return []
    const value = resultValue(call)
    const source = rowText(call.args, 'source') || rowText(call.args, 'url')
    const title = call.name === 'image_analyze' ? 'What the image shows' : 'The screenshot'
    if (!value) return onlyGaps(title, `${source} could not be looked at: ${failureOf(call)}`)
    const url = rowText(value, 'url')
    const lead = rowLine(value, 'text', 600) || `This is how ${source} looks:`
    const isShot = url && call.name === 'web_screenshot'
    return [makeChapter({ title, lead, blocks: isShot ? [{ kind: 'image', url, alt: 'Screenshot' }] : [] })]
  })
  const read = pages.length > 0 ? pagesChapters(pages, { title: 'What the page says', subject: wish.subject }) : []
  return [...read, ...others]
}

/** The URLs that a goal names: pages are read, images looked at. */
export const linksPart: PlayerPart = { topic: 'links', plan, play }
