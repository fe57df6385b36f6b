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
  'chrome-headless-shell-linux-arm64/chrome-headless-shell',
  'chrome-linux64/chrome',
  'chrome-linux-arm64/chrome',
  'chrome-linux/headless_shell',
  'chrome-linux/chrome',
]

/**
 * The Chromium to use: the one that is set (and no other), else Debian's, else Playwright's newest,
 * of each its headless shell where there is one; null without any.
 */
export function findChromiumPath(set: string | undefined, { usual = USUAL, home = homedir() } = {}): string | null {
  if (set) return existsSync(set) ? set : null
  return [...usual, ...fromPlaywright(home)].find((file) => existsSync(file)) ?? null
}

function fromPlaywright(home: string): string[] {
  const cache = path.join(home, '.cache', 'ms-playwright')
  if (!existsSync(cache)) return []
  const versions = readdirSync(cache).filter((name) => name.startsWith('chromium'))
  const numberOf = (name: string) => Number(name.split('-').at(-1))
  // Of one version the shell's folder first: chromium_headless_shell-1255 before chromium-1255.
  const newest = versions.sort((a, b) => numberOf(b) - numberOf(a) || (a < b ? 1 : -1))
  return newest.flatMap((name) => INSIDE_PLAYWRIGHT.map((file) => path.join(cache, name, file)))
}
