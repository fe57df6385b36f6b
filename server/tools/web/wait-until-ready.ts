import type { Page } from 'playwright-core'

/**
 * When a page counts as ready, and what that means. Each is given up at the time limit: what is
 * there then is taken.
 */
export const READINESS = {
  'visible-content': 'something is painted, and the images and fonts in view are loaded',
  'mutation-idle': 'the document has not changed for half a second',
  'resource-idle': 'the load event has passed and no further file has arrived for half a second',
  'media-idle': 'the load event has passed and every image, video and audio in view can be shown',
  'network-idle': 'no request has been in progress for half a second',
} as const

export type Readiness = keyof typeof READINESS

/** These run inside the page. They are text because a compiler's helpers would not be there. */
const VISIBLE = `const inView = (el) => { const r = el.getBoundingClientRect();
  return r.bottom > 0 && r.right > 0 && r.top < innerHeight && r.left < innerWidth }`

const until = (condition: string): string => `new Promise((done) => {
  ${VISIBLE}
  const look = () => (${condition}) ? requestAnimationFrame(() => requestAnimationFrame(done)) : setTimeout(look, 50)
  look()
})`

const IMAGES = `[...document.images].every((img) => img.complete || !inView(img))`
const MEDIA = `[...document.querySelectorAll('video, audio')].every((m) =>
  m.readyState >= 2 || m.error || m.networkState === 0 || m.networkState === 3 || m.preload === 'none' || !inView(m))`
const PAINTED = `performance.getEntriesByName('first-contentful-paint').length > 0`
const FONTS = `document.fonts.status === 'loaded'`

/** Half a second in turns of the page: one that does not get to work is not idle. */
const quiet = (observe: string): string => `new Promise((done) => {
  let turns = 0
  const again = () => { turns = 0 }
  const timer = setInterval(() => { if (++turns === 10) { clearInterval(timer); done() } }, 50)
  ${observe}
})`

const MUTATIONS = quiet(`new MutationObserver(again).observe(document,
  { subtree: true, childList: true, attributes: true, characterData: true })`)
const RESOURCES = quiet(`new PerformanceObserver(again).observe({ type: 'resource' })`)

/**
 * Waits until the page is ready in the given sense; undefined: its load event. Rejects when a
 * script of it fails.
 */
export async function waitUntilReady(page: Page, readiness: Readiness | undefined): Promise<void> {
  const no = { timeout: 0 }
  switch (readiness) {
    case undefined:
      return page.waitForLoadState('load', no)
    case 'visible-content':
      await page.waitForLoadState('domcontentloaded', no)
      return page.evaluate(until(`${PAINTED} && ${IMAGES} && ${FONTS}`))
    case 'mutation-idle':
      await page.waitForLoadState('domcontentloaded', no)
      return page.evaluate(MUTATIONS)
    case 'resource-idle':
      await page.waitForLoadState('load', no)
      return page.evaluate(RESOURCES)
    case 'media-idle':
      await page.waitForLoadState('load', no)
      return page.evaluate(until(`${IMAGES} && ${MEDIA} && ${FONTS}`))
    case 'network-idle':
      return page.waitForLoadState('networkidle', no)
    default:
      return readiness satisfies never
  }
}
