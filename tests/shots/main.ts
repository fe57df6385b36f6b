// npm run shots: images of every page in both themes, on a desktop and two phones, in .data/shots.
// `--only overview,job` takes those whose names contain one of these words. `--write` renews the
// images in public/images, which README and landing page show. `--lighthouse` measures the main
// pages instead, five times or `--rounds N`, and with `--write` keeps what it found in RESULTS.md.
import { rmSync } from 'node:fs'
import type { Browser } from '@playwright/test'
import { listExamples } from '../../server/agent/welcome/example-goals'
import { CliError, displayPath, runMain } from '../../server/cli/kit/project'
import { listenForStop } from '../../server/cli/kit/stop-signal'
import { closeDb } from '../../server/db'
import { apiOf, dashboardOf, makeCallsOfToday } from './calls'
import {
  captureKept,
  captureWhole,
  launchBrowser,
  openContext,
  openShotPage,
  SHOTS_FOLDER,
  type ShotDevice,
  type ShotTheme,
} from './capture'
import { startShotJobs, startSlowJob } from './jobs'
import { measurePages } from './lighthouse'
import { makeNewcomer, makeShotOwner } from './owner'
import { type ShotPage, shotPages } from './pages'
import { startShotService } from './service'

type Cookies = Partial<Record<ShotPage['as'], { name: string; value: string }>>

const THEMES: ShotTheme[] = ['light', 'dark']
const DEVICES: ShotDevice[] = ['desktop', 'phone', 'narrow']

const has = (flag: string) => process.argv.includes(flag)
const argumentOf = (flag: string) => (has(flag) ? process.argv[process.argv.indexOf(flag) + 1] : undefined)
const say = (text: string) => process.stdout.write(`${text}\n`)

function chosen(pages: readonly ShotPage[]): ShotPage[] {
  const words = (argumentOf('--only') ?? '').split(',').filter(Boolean)
  const found = pages.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  if (found.length === 0) throw new CliError(`No such page. There are: ${pages.map(({ name }) => name).join(', ')}`)
  return found
}

/** Takes every page in one look. Returns what is wrong with them. */
async function captureLook(
  browser: Browser,
  look: { baseUrl: string; theme: ShotTheme; device: ShotDevice },
  { pages, cookies }: { pages: readonly ShotPage[]; cookies: Cookies },
): Promise<string[]> {
  const problems: string[] = []
  for (const as of ['visitor', 'newcomer', 'owner'] as const) {
    const context = await openContext(browser, look, cookies[as])
    for (const shot of pages.filter((one) => one.as === as)) {
      const name = `${shot.name}-${look.theme}-${look.device}`
      try {
        const page = await openShotPage(context, shot)
        const problem = await captureWhole(page, name)
        if (problem) problems.push(problem)
        await page.close()
      } catch (error) {
        problems.push(`${name}: ${(error as Error).message.split('\n')[0]}`)
      }
    }
    await context.close()
  }
  return problems
}

async function writeKept(browser: Browser, baseUrl: string, pages: readonly ShotPage[], cookies: Cookies) {
  for (const theme of THEMES) {
    for (const shot of pages) {
      const { kept } = shot
      if (!kept) continue
      const context = await openContext(
        browser,
        { baseUrl, theme, device: 'desktop', scale: 1.5, height: kept.height },
        cookies[shot.as],
      )
      const page = await openShotPage(context, shot)
      say(await captureKept(page, `${kept.name}-${theme}`, kept.isHalvedToo))
      await context.close()
    }
  }
}

async function takeShots(baseUrl: string): Promise<string[]> {
  const owner = await makeShotOwner('you@example.com')
  const newcomer = await makeNewcomer('new@example.com')
  const examples = await listExamples(owner.id)
  await closeDb()
  const api = apiOf(baseUrl, owner.keys.everything)
  await makeCallsOfToday(api, apiOf(baseUrl, owner.keys.tools))
  const dashboard = dashboardOf(baseUrl, owner.cookie)
  await dashboard('/welcome.hide', { isHidden: true })
  const jobs = await startShotJobs(
    dashboard,
    api,
    examples.map(({ id }) => id),
  )
  jobs.ids.running = await startSlowJob(api)
  const all = shotPages(jobs, owner)
  const cookies = { newcomer, owner: owner.cookie }
  if (has('--lighthouse'))
    return measurePages(all, {
      baseUrl,
      cookies,
      rounds: Number(argumentOf('--rounds') ?? 5),
      write: has('--write'),
      say,
    })
  const pages = chosen(all)
  const browser = await launchBrowser()
  try {
    if (has('--write')) await writeKept(browser, baseUrl, pages, cookies)
    const problems: string[] = []
    for (const theme of THEMES) {
      for (const device of DEVICES)
        problems.push(...(await captureLook(browser, { baseUrl, theme, device }, { pages, cookies })))
    }
    return problems
  } finally {
    await browser.close()
  }
}

await runMain(async () => {
  const stop = listenForStop()
  rmSync(SHOTS_FOLDER, { recursive: true, force: true })
  const service = await startShotService()
  try {
    const problems = await Promise.race([takeShots(service.url), stop.asked.then(() => ['stopped'])])
    for (const problem of problems) say(problem)
    if (!has('--lighthouse')) say(`The images are in ${displayPath(SHOTS_FOLDER)}.`)
    return problems.length > 0 ? 1 : 0
  } finally {
    await service.stop()
  }
})
