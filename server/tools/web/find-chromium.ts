import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

const USUAL = [
  // The headless shell: a visit takes it a quarter of the CPU time of a whole Chromium.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
]
const INSIDE_PLAYWRIGHT = [
  'chrome-headless-shell-linux64/chrome-headless-shell',
  'chrome-linux/headless_shell',
  'chrome-linux64/chrome',
  'chrome-linux/chrome',
]

/**
 * The Chromium to use: the one that is set (and no other), else Debian's, else Playwright's newest,
 * of each its headless shell where there is one; null without any.
 */
export function findChromiumPath(set: string | undefined): string | null {
  if (set) return existsSync(set) ? set : null
  return [...USUAL, ...fromPlaywright()].find((file) => existsSync(file)) ?? null
}

function fromPlaywright(): string[] {
  const cache = path.join(homedir(), '.cache', 'ms-playwright')
  if (!existsSync(cache)) return []
  const versions = readdirSync(cache).filter((name) => name.startsWith('chromium'))
  const newest = versions.sort((a, b) => Number(b.split('-').at(-1)) - Number(a.split('-').at(-1)))
  return INSIDE_PLAYWRIGHT.flatMap((file) => newest.map((name) => path.join(cache, name, file)))
}
