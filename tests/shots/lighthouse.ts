import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { findFreePort } from '../../server/cli/kit/ports'
import { CliError, displayPath, PROJECT_ROOT } from '../../server/cli/kit/project'
import { formatHundredth, formatTenth, formatWhole, markdownTable, medianOfEach, spreadOf } from '../bench/table'
import { launchBrowser } from './capture'
import type { ShotPage } from './pages'

const VERSION = '13.5.0'
/** Beside the project's own packages: 170 MB for what few run. */
const FOLDER = path.join(PROJECT_ROOT, '.data', 'peers', 'node_modules', 'lighthouse')
const RESULTS = path.join(import.meta.dirname, 'RESULTS.md')

/** Now and then a trace has no paint in it: then the page is loaded again, so often at most. */
const ATTEMPTS = 4

/** The pages that are measured, by the names of their images. */
const MEASURED = ['landing', 'overview', 'keys', 'usage', 'job-homes', 'docs']
const FORMS = ['desktop', 'mobile'] as const
type Form = (typeof FORMS)[number]

/** The share of a perfect score that a page has to reach, in percent. */
const GOALS: Record<Form, number> = { desktop: 95, mobile: 90 }

/** What is read of a report. Times are milliseconds of the device that Lighthouse simulates. */
const Report = z.object({
  categories: z.object({ performance: z.object({ score: z.number() }) }),
  audits: z.object({
    'largest-contentful-paint': z.object({ numericValue: z.number() }),
    'total-blocking-time': z.object({ numericValue: z.number() }),
    'cumulative-layout-shift': z.object({ numericValue: z.number() }),
  }),
})
type Lighthouse = (url: string, flags: object, config?: unknown) => Promise<{ lhr: unknown } | undefined>
type Figures = { score: number; paintMs: number; blockedMs: number; shift: number }

/** Throws a CliError with the command that installs it, unless it is. */
async function loadLighthouse(): Promise<{ lighthouse: Lighthouse; desktop: unknown }> {
  const file = path.join(FOLDER, 'package.json')
  if (!existsSync(file) || JSON.parse(readFileSync(file, 'utf8')).version !== VERSION) {
    const install = `npm install --prefix .data/peers --ignore-scripts lighthouse@${VERSION}`
    throw new CliError(`Lighthouse ${VERSION} is not installed. This installs it:\n${install}`)
  }
  const load = (part: string) => import(pathToFileURL(path.join(FOLDER, part)).href)
  const [main, config] = await Promise.all([load('core/index.js'), load('core/config/desktop-config.js')])
  return { lighthouse: main.default, desktop: config.default }
}

/**
 * Lighthouse's performance of the pages that matter, each in a browser of its own, one page after
 * the other in every round; medians. `write` keeps them in RESULTS.md. Returns what misses its
 * goal.
 */
export async function measurePages(
  pages: readonly ShotPage[],
  {
    baseUrl,
    cookies,
    rounds,
    write,
    say,
  }: {
    baseUrl: string
    cookies: Partial<Record<ShotPage['as'], { name: string; value: string }>>
    rounds: number
    write: boolean
    say: (text: string) => void
  },
): Promise<string[]> {
  const { lighthouse, desktop } = await loadLighthouse()
  const measureOnce = async (shot: ShotPage, form: Form) => {
    const port = await findFreePort(9_300)
    const browser = await launchBrowser([`--remote-debugging-port=${port}`])
    try {
      const cookie = cookies[shot.as]
      const extraHeaders = cookie ? { Cookie: `${cookie.name}=${cookie.value}` } : {}
      const flags = { port, extraHeaders, onlyCategories: ['performance'], logLevel: 'silent' }
      const done = await lighthouse(new URL(shot.path, baseUrl).href, flags, form === 'desktop' ? desktop : undefined)
      return Report.safeParse(done?.lhr)
    } finally {
      await browser.close()
    }
  }
  const measure = async (shot: ShotPage, form: Form): Promise<Figures> => {
    let report = await measureOnce(shot, form)
    for (let attempt = 1; !report.success && attempt < ATTEMPTS; attempt++) report = await measureOnce(shot, form)
    if (!report.success) throw report.error
    const { categories, audits } = report.data
    return {
      score: Math.round(categories.performance.score * 100),
      paintMs: audits['largest-contentful-paint'].numericValue,
      blockedMs: audits['total-blocking-time'].numericValue,
      shift: audits['cumulative-layout-shift'].numericValue,
    }
  }
  const rows = FORMS.flatMap((form) =>
    MEASURED.flatMap((name) => pages.filter((shot) => shot.name === name)).map((shot) => ({
      form,
      shot,
      seen: [] as Figures[],
    })),
  )
  for (let round = 1; round <= rounds; round++) {
    for (const row of rows) row.seen.push(await measure(row.shot, row.form))
    say(`round ${round} of ${rounds}`)
  }
  const table = markdownTable(
    ['page', 'device', 'performance', 'largest paint', 'blocked', 'layout shift'],
    rows.map(({ form, shot, seen }) => [
      shot.name,
      form,
      spreadOf(seen, 'score', formatWhole),
      `${formatTenth(medianOfEach(seen).paintMs / 1000)} s`,
      `${formatWhole(medianOfEach(seen).blockedMs)} ms`,
      formatHundredth(medianOfEach(seen).shift),
    ]),
  )
  say(table)
  if (write) {
    writeFileSync(RESULTS, `${introductionOf(await browserVersion(), rounds)}\n${table}\n`)
    say(`Written to ${displayPath(RESULTS)}.`)
  }
  return rows.flatMap(({ form, shot, seen }) => {
    const { score } = medianOfEach(seen)
    return score < GOALS[form] ? [`${shot.name}, ${form}: ${score} of ${GOALS[form]}`] : []
  })
}

async function browserVersion(): Promise<string> {
  const browser = await launchBrowser()
  try {
    return browser.version()
  } finally {
    await browser.close()
  }
}

const introductionOf = (version: string, rounds: number) => `# How fast pages are

Made by \`npm run shots -- --lighthouse --write\`: Lighthouse ${VERSION} in Chromium ${version}, the
production build with weeks of simulated use on the same two cores, medians of ${rounds} rounds with the
lowest and the highest score. \`mobile\` is Lighthouse's slow phone on a slow network, simulated from
what was measured; a busy machine makes every score lower. The goals are ${GOALS.desktop} on a desktop
and ${GOALS.mobile} on a phone.
`
