import { calledTimes, lacks, unless } from '../checks'
import type { Goal } from '../goal'
import { visibleRows } from '../models/visible'
import { chapterCode, duesOf, heightBy, ledgerNumber } from '../pages'

const LEDGER = Array.from({ length: 20 }, (_, i) => i + 1)
const CHAPTERS = [1, 2, 3, 4, 5, 6]
const YEAR = 1787

/** The page that a search for these words puts first. */
const firstHit = (text: string): string => String(visibleRows(text)[0]?.url)

const urlsIn = (text: string): string[] => text.match(/https?:\/\/[\w.:/-]*[\w/]/g) ?? []

export const researchGoals: readonly Goal[] = [
  {
    id: 'night-trains',
    agent: 'research',
    text: () =>
      'Research on the web (search for “sandbox:gazette register of night trains”): which line in that register runs longest, how many hours, and what does a berth there cost? Name the page as source.',
    maxCredits: 120,
    mishap: (n) => (n === 0 ? 'overloaded' : null),
    solve: (ask) => {
      const url = firstHit(ask.call('web_search', { query: 'sandbox:gazette register of night trains' }).text)
      const page = ask.call('web_read_url', { url }).text
      const lines = [...page.matchAll(/\| ([A-Z][\w ]+) \| (\d+) \| (\d+) \|/g)].map(([, line, hours, berth]) => ({
        line,
        hours: Number(hours),
        berth,
      }))
      const longest = lines.reduce((a, b) => (b.hours > a.hours ? b : a))
      return `The longest line is **${longest.line}** with ${longest.hours} hours; a berth costs ${longest.berth}.\n\nSource: ${url}`
    },
    check: (o) => [
      ...lacks(o, 'Eastgate to Lakes', 11, 59, '/site/night-trains'),
      ...calledTimes(o, 'web_read_url', { max: 2 }),
    ],
  },
  {
    id: 'tide-mills',
    agent: 'research',
    text: () =>
      'Look up an article about tide mills on the web (search for “sandbox:gazette tide mills”), read it, and report the pond area of all mills in its table together, in hectares, with the source.',
    maxCredits: 120,
    isStrict: true,
    solve: (ask) => {
      const url = firstHit(ask.call('web_search', { query: 'sandbox:gazette tide mills' }).text)
      const page = ask.call('web_read_url', { url }).text
      const ponds = [...page.matchAll(/\| [A-Z][\w ]+ \| ([\d.]+) \| \d \|/g)].map(([, hectares]) => Number(hectares))
      return `The ponds have ${ponds.reduce((a, b) => a + b, 0)} hectares together (${url}).`
    },
    check: (o) => lacks(o, 21.5, '/site/tide-mills'),
  },
  {
    id: 'long-page',
    agent: 'research',
    text: ({ pages }) =>
      `Read ${pages}/annals and report the harbour dues of the year ${YEAR} in crowns, with the source.`,
    maxCredits: 600,
    solve: (ask) => {
      const url = urlsIn(ask.conversation.goal)[0]
      const page = ask.call('web_read_url', { url })
      const dues = ask.find(page, new RegExp(`dues in ${YEAR} came to (\\d+)`), `dues in ${YEAR}`)
      return dues === null ? `The page does not say it (${url}).` : `${dues} crowns, says ${url}.`
    },
    check: (o) => [...lacks(o, duesOf(YEAR), '/annals'), ...calledTimes(o, 'web_read_url', { max: 1 })],
  },
  {
    id: 'twenty-pages',
    agent: 'research',
    text: ({ pages }) =>
      `Read the twenty pages ${pages}/ledger/1 to ${pages}/ledger/20. Each states one number. Report the sum of all twenty numbers, and the first and the last page as sources.`,
    maxCredits: 400,
    solve: (ask) => {
      const base = (urlsIn(ask.conversation.goal)[0] ?? '').replace(/1$/, '')
      const shown = ask.all(LEDGER.map((n) => ({ name: 'web_read_url', args: { url: `${base}${n}` } })))
      const numbers = shown.map(({ text }) => Number(/number of this page is (\d+)/.exec(text)?.[1] ?? 0))
      return `The sum is ${numbers.reduce((a, b) => a + b, 0)}. Sources: ${base}1 to ${base}20.`
    },
    check: (o) =>
      lacks(
        o,
        LEDGER.reduce((sum, n) => sum + ledgerNumber(n), 0),
        '/ledger/1',
        '/ledger/20',
      ),
  },
  {
    id: 'sources-disagree',
    agent: 'research',
    text: ({ pages }) =>
      `Compare what ${pages}/survey and ${pages}/guide say about the height of the lighthouse. Report both numbers with their sources.`,
    maxCredits: 120,
    mishap: (n) => (n === 1 ? 'empty' : null),
    solve: (ask) => {
      const urls = urlsIn(ask.conversation.goal).slice(0, 2)
      const shown = ask.all(urls.map((url) => ({ name: 'web_read_url', args: { url } })))
      const lines = shown.map(({ text }, i) => `- ${/is (\d+) metres/.exec(text)?.[1]} m: ${urls[i]}`)
      return `The sources disagree:\n\n${lines.join('\n')}`
    },
    check: (o) => lacks(o, heightBy('survey'), heightBy('guide'), '/survey', '/guide'),
  },
  {
    id: 'small-context',
    agent: 'research',
    isSmallContext: true,
    text: ({ pages }) =>
      `Read the chapters ${pages}/chapter/1 to ${pages}/chapter/${CHAPTERS.length}, one after the other. Each gives a code. Report every code with the web page it is from.`,
    maxCredits: 600,
    solve: (ask) => {
      const base = (urlsIn(ask.conversation.goal)[0] ?? '').replace(/1$/, '')
      const { text, calls } = ask.conversation
      const codeOf = (n: number): string | null => {
        const known = new RegExp(`code of chapter ${n} is (KEY-\\d+)`).exec(text)?.[1]
        if (known !== undefined) return known
        const url = `${base}${n}`
        const isShown = calls.some(({ args }) => args.url === url)
        // A page that only a summary mentions was read before.
        if (!isShown && text.includes(`Chapter ${n}`)) return null
        return ask.find(ask.call('web_read_url', { url }), /(KEY-\d+)/, 'code of chapter')
      }
      return CHAPTERS.map((n) => `- ${base}${n}: ${codeOf(n) ?? 'not found'}`).join('\n')
    },
    check: (o) => [
      ...lacks(o, ...CHAPTERS.map(chapterCode), '/chapter/1'),
      ...calledTimes(o, 'web_read_url', { max: CHAPTERS.length + 2 }),
    ],
  },
  {
    id: 'missing-page',
    agent: 'research',
    text: ({ pages }) =>
      `Read ${pages}/ledger/7 and ${pages}/nothing on the web. Report the number of the first and, if a page could not be read, say which and why.`,
    maxCredits: 120,
    solve: (ask) => {
      const urls = urlsIn(ask.conversation.goal).slice(0, 2)
      const shown = ask.all(urls.map((url) => ({ name: 'web_read_url', args: { url } })))
      return shown
        .map(({ text, failed }, i) =>
          failed
            ? `${urls[i]} could not be read: ${text}`
            : `${urls[i]}: ${/number of this page is (\d+)/.exec(text)?.[1]}`,
        )
        .join('\n\n')
    },
    check: (o) => [
      ...lacks(o, ledgerNumber(7), '/nothing', '404'),
      ...unless(o.steps.length < 12, `it took ${o.steps.length} steps`),
    ],
  },
]
