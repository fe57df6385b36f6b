import type { Page } from '@playwright/test'

/** The accessibility problems of a page, one per line. Runs inside the page. */
function audit(): string[] {
  const found: string[] = []
  const visible = (el: Element) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter(visible)
  const excerpt = (el: Element) => el.outerHTML.slice(0, 140)

  const nameOf = (el: HTMLElement): string => {
    const labels = 'labels' in el ? [...((el as HTMLInputElement).labels ?? [])] : []
    const pointed = (el.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id))
    const texts = [el.getAttribute('aria-label'), ...[...pointed, ...labels].map((l) => l?.textContent)]
    return texts.filter(Boolean).join(' ').trim()
  }
  for (const el of all('input:not([type=hidden]), select, textarea'))
    if (!nameOf(el)) found.push(`no label: ${excerpt(el)}`)
  for (const el of all('a[href], button, [role=img]')) {
    if (!nameOf(el) && !el.textContent?.trim()) found.push(`no name: ${excerpt(el)}`)
  }
  for (const el of all('section[aria-label=""], table:not(:has(th)), img:not([alt])'))
    found.push(`no text: ${excerpt(el)}`)

  for (const [selector, expected] of [
    ['h1', 1],
    ['main', 1],
    ['html[lang]', 1],
  ] as const) {
    const actual = document.querySelectorAll(selector).length
    if (actual !== expected) found.push(`${actual} × ${selector}`)
  }
  if (!document.title.endsWith('Tollgate') && !document.title.startsWith('Tollgate: '))
    found.push(`title: ${document.title}`)
  const ids = [...document.querySelectorAll('[id]')].map((el) => el.id)
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) found.push(`duplicate id: ${id}`)
  const levels = all('h1, h2, h3, h4').map((el) => Number(el.tagName[1]))
  levels.forEach((level, at) => {
    if (level > (levels[at - 1] ?? 0) + 1) found.push(`heading h${level} after h${levels[at - 1] ?? 0}`)
  })

  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  /** CSS colours painted over each other, as red, green and blue. */
  const paint = (...layers: string[]): number[] => {
    if (!pen) throw new Error('no canvas')
    for (const layer of ['#fff', ...layers]) {
      pen.fillStyle = layer
      pen.fillRect(0, 0, 1, 1)
    }
    return [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)]
  }
  const luminance = (rgb: number[]): number => {
    const [r = 0, g = 0, b = 0] = rgb.map((c) =>
      c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const seen = new Set<string>()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const el = node.parentElement
    if (!el || !node.textContent?.trim() || !visible(el) || el.closest('script, style, svg, :disabled, .sr-only'))
      continue
    const under: string[] = []
    for (let at: Element | null = el; at; at = at.parentElement) under.unshift(getComputedStyle(at).backgroundColor)
    const { color } = getComputedStyle(el)
    const [front, back] = [luminance(paint(...under, color)), luminance(paint(...under))]
    const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05)
    const what = `${el.className}`
    if (ratio < 4.5 && !seen.has(what))
      found.push(`contrast ${ratio.toFixed(2)}: “${node.textContent.trim().slice(0, 40)}” ${excerpt(el)}`)
    seen.add(what)
  }
  return found
}

/** How long a page may take to settle, milliseconds: one that is half replaced has no problem. */
const SETTLES_MS = 5_000

/** Checks labels, names, headings, landmarks and the contrast of every text on the page. */
export async function auditPage(page: Page): Promise<string[]> {
  for (const until = Date.now() + SETTLES_MS; ; ) {
    const found = await page.evaluate(audit)
    if (found.length === 0 || Date.now() > until) return found
    await page.waitForTimeout(200)
  }
}

/** The same in the light theme and in the dark one, each problem with its theme. */
export async function auditBothThemes(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    found.push(...(await auditPage(page)).map((what) => `${colorScheme}: ${what}`))
  }
  return found
}
