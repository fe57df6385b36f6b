import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { findChromiumPath } from '../../server/tools/web/find-chromium'
import { waitForHydration } from '../e2e/wait-for-hydration'
import type { ShotPage } from './pages'

export type ShotTheme = 'light' | 'dark'
/** `narrow`: the smallest phone that every page fits. */
export type ShotDevice = 'desktop' | 'phone' | 'narrow'

/** Where images go that only this machine keeps. */
export const SHOTS_FOLDER = path.join(PROJECT_ROOT, '.data', 'shots')

/** Images that documents and the landing page show. */
const KEPT_FOLDER = path.join(PROJECT_ROOT, 'public', 'images')
const MAX_KEPT_BYTES = 150_000

const SIZES = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 640 },
}

type SessionCookies = Partial<Record<ShotPage['as'], { name: string; value: string }>>

/** How pages look. `scale`: pixels of the device for one of the page. */
type ShotLook = { baseUrl: string; theme: ShotTheme; device: ShotDevice; scale?: number; height?: number }

/** The browser of this machine. */
export const launchBrowser = (args: string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM_PATH || (findChromiumPath(undefined) ?? undefined), args })

/** Browsers of one look, one for each who looks. */
export async function openContext(
  browser: Browser,
  { baseUrl, theme, device, scale = 1, height = SIZES[device].height }: ShotLook,
  cookie?: SessionCookies[ShotPage['as']],
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport: { ...SIZES[device], height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    deviceScaleFactor: scale,
    hasTouch: device !== 'desktop',
    locale: 'en-GB',
    timezoneId: 'Europe/Madrid',
  })
  if (cookie) await context.addCookies([{ name: cookie.name, value: cookie.value, url: baseUrl }])
  return context
}

/** Opens a page as people see it: hydrated, with its images, fonts and data. */
export async function openShotPage(context: BrowserContext, { path, prepare }: ShotPage): Promise<Page> {
  const page = waitForHydration(await context.newPage())
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await prepare?.(page)
  await page.evaluate(async () => {
    await document.fonts.ready
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})))
  })
  // Charts and relative times are drawn after the first frame.
  await page.waitForTimeout(300)
  return page
}

/** The whole page as a PNG on this machine. Returns what is wrong with it: it may be too wide. */
export async function captureWhole(page: Page, name: string): Promise<string | null> {
  mkdirSync(SHOTS_FOLDER, { recursive: true })
  await page.screenshot({ path: path.join(SHOTS_FOLDER, `${name}.png`), fullPage: true })
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return excess > 0 ? `${name} is ${excess} px too wide` : null
}

/** A WebP of half the width and height: for small screens. The page's browser draws it. */
async function halveWebp(page: Page, image: Buffer): Promise<Buffer> {
  const encoded = await page.evaluate(
    async (source) => {
      const whole = new Image()
      whole.src = source
      await whole.decode()
      const canvas = document.createElement('canvas')
      canvas.width = whole.naturalWidth / 2
      canvas.height = whole.naturalHeight / 2
      const drawing = canvas.getContext('2d')
      if (!drawing) throw new Error('The browser draws no images.')
      drawing.imageSmoothingQuality = 'high'
      drawing.drawImage(whole, 0, 0, canvas.width, canvas.height)
      return canvas.toDataURL('image/webp', 0.8)
    },
    `data:image/webp;base64,${image.toString('base64')}`,
  )
  return Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64')
}

/** What the window shows, as a WebP that is small enough to be part of the project; halved, too. */
export async function captureKept(page: Page, name: string, isHalvedToo = false): Promise<string> {
  const session = await page.context().newCDPSession(page)
  for (let quality = 88; quality > 30; quality -= 8) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
    const image = Buffer.from(data, 'base64')
    if (image.length > MAX_KEPT_BYTES) continue
    mkdirSync(KEPT_FOLDER, { recursive: true })
    writeFileSync(path.join(KEPT_FOLDER, `${name}.webp`), image)
    if (isHalvedToo) writeFileSync(path.join(KEPT_FOLDER, `${name}-960.webp`), await halveWebp(page, image))
    return `${name}.webp: ${Math.round(image.length / 1_000)} kB`
  }
  throw new Error(`${name} does not fit into ${MAX_KEPT_BYTES} bytes.`)
}
