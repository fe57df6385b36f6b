import { sentenceCase } from '../kit/text'
import { slugFrom } from '../prose/words'
import { freeStep, type PlannedStep, type PlayerAsk, type WantedCall } from './ask'
import { failureOf, resultValue, rowNumber, rowText, type ShownCall, wasRejected } from './calls'
import { type Chapter, listBlock, makeChapter, withContent } from './chapter'
import { type SiteText, siteCss, sitePage } from './site-html'
import { nameFrom } from './subject'
import { isRefused, type Wish } from './wish'

const MAX_SLUG = 48
/** The goal wants a second version, which replaces the first. */
const TWICE =
  /\b(then|afterwards|after that|later)\b[^.\n]{0,80}\b(replace|improve|update|republish|second version|new version|better version)\b|\breplace it\b/i
const NAMED =
  /\b(?:called|named|under the name(?: of)?|with the name|slug|at \/sites\/)\s*:?\s*["“'`]?([A-Za-z0-9][A-Za-z0-9 -]{1,46}[A-Za-z0-9])["”'`]?(?=[\s,.;:!?]|$)/
const TITLED = /\b(?:title|headline|heading)\s+(?:it\s+)?(?:to|is|be|as|:)?\s*["“]([^"”\n]{2,80})["”]/i

const isTwice = ({ text }: Wish) => TWICE.test(text)
const wantsSite = (wish: Wish) => wish.topics.has('site') && !isRefused(wish, /\b(sites?|publish\w*|pages?)\b/i)

/** What a plan says about the site. */
export function sitePlan(wish: Wish): PlannedStep[] {
  if (!wantsSite(wish)) return []
  const again = 'Replace it with a fuller version, for which you are asked first'
  const publish = freeStep(`Publish the site “${titleOf(wish)}”`, 'site_publish')
  return [publish, ...(isTwice(wish) ? [freeStep(again, 'site_publish')] : [])]
}

const titleOf = ({ text, subject }: Wish): string => TITLED.exec(text)?.[1] ?? sentenceCase(subject || 'A small site')

function slugOf({ text, subject }: Wish, earlier: readonly ShownCall[]): string {
  const before = earlier.findLast((call) => call.name === 'site_publish' && !call.failed)
  if (before) return rowText(before.args, 'slug')
  const [clause = ''] = (NAMED.exec(text)?.[1] ?? '').split(/\b(?:and|then|with|about|that)\b/)
  const slug = slugFrom(clause) || nameFrom(subject, '-', MAX_SLUG)
  return slug.length >= 3 ? slug : 'a-small-site'
}

type Version = SiteText & { slug: string }

function publishCall({ slug, ...page }: Version): WantedCall {
  const contents = { 'index.html': sitePage(page), 'style.css': siteCss(slug) }
  const files = Object.entries(contents).map(([path, content]) => ({ path, content }))
  return { name: 'site_publish', args: { slug, files } }
}

const MAX_NAMES = 4

/** Publishes under the first name that is free: names belong to whoever had them first. */
function publishVersion(ask: PlayerAsk, version: Version): { call: ShownCall | null; slug: string } {
  for (let i = 0; ; i++) {
    const slug = i === 0 ? version.slug : `${version.slug}-${i + 1}`
    const [call = null] = ask.all([publishCall({ ...version, slug })])
    const isTaken = call?.failed && /is taken|reserved name/.test(call.text)
    if (!isTaken || i + 1 >= MAX_NAMES) return { call, slug }
  }
}

/** That the table which the goal wants is not on the site, because nothing that was read has it. */
function missingTable({ text }: Wish, chapters: readonly Chapter[]): string[] {
  const wanted = /\btable of (?:their |the |its |all )?([a-z]+)/i.exec(text)?.[1]
  if (wanted === undefined) return []
  const tables = chapters.flatMap(({ blocks }) => blocks.filter((block) => block.kind === 'table'))
  if (tables.some(({ head }) => head.join(' ').toLowerCase().includes(wanted.toLowerCase().slice(0, 5)))) return []
  const instead = tables.length > 0 ? '; the site has the numbers that there are' : ''
  return [`A table of ${wanted}: no page that I read has one${instead}.`]
}

function whyNot(call: ShownCall | null, slug: string): string {
  if (!call) return 'No site was published: this run has no tool for it.'
  return wasRejected(call)
    ? `You did not want the site ${slug} to be changed, so what was there before is still served.`
    : `The site ${slug} was not published: ${failureOf(call)}`
}

/** Publishes what the chapters say as a site, a second time where the goal wants it replaced. */
export function playSite(ask: PlayerAsk, wish: Wish, chapters: readonly Chapter[]): Chapter[] {
  if (!wantsSite(wish)) return []
  const written = withContent(chapters)
  const title = titleOf(wish)
  const version = { title, intro: 'What there is to know about it, on one page.', slug: slugOf(wish, ask.view.earlier) }
  const first = publishVersion(ask, { ...version, chapters: isTwice(wish) ? written.slice(0, 1) : written })
  const fuller = { title, intro: 'The second, fuller version of this page.', slug: first.slug, chapters: written }
  const isReplaced = isTwice(wish) && resultValue(first.call) !== null
  const versions = [first, ...(isReplaced ? [publishVersion(ask, fuller)] : [])]
  const lines = versions.flatMap(({ call }) => {
    const made = resultValue(call)
    if (!made) return []
    const replaced = rowNumber(made, 'replaced')
    const before = replaced === null ? '' : `, in place of version ${replaced}, as you approved`
    return [`[${title}](${rowText(made, 'url')}), version ${rowNumber(made, 'version') ?? 1}${before}`]
  })
  const gaps = [
    ...versions.map(({ call, slug }) => !resultValue(call) && whyNot(call, slug)),
    ...missingTable(wish, written),
  ]
  const isPublic = lines.length > 0
  const lead = isPublic ? 'It is public at:' : ''
  return [makeChapter({ title: 'The site', lead, blocks: [isPublic && listBlock(lines)], gaps })]
}
