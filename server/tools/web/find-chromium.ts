import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
]
const INSIDE_PLAYWRIGHT = ['chrome-linux64/chrome', 'chrome-linux/chrome', 'chrome-linux/headless_shell']

/**
 * The Chromium to use: the one that is set (and no other), else Debian's, else Playwright's newest;
 * null without one.
 */
export function findChromiumPath(set: string | undefined): string | null {
  if (set !== undefined) return existsSync(set) ? set : null
  return [...USUAL, ...fromPlaywright()].find((file) => existsSync(file)) ?? null
}

function fromPlaywright(): string[] {
  const cache = path.join(homedir(), '.cache', 'ms-playwright')
  if (!existsSync(cache)) return []
  const versions = readdirSync(cache).filter((name) => name.startsWith('chromium'))
  const newest = versions.sort((a, b) => Number(b.split('-').at(-1)) - Number(a.split('-').at(-1)))
  return newest.flatMap((name) => INSIDE_PLAYWRIGHT.map((file) => path.join(cache, name, file)))
}
