import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { hasPackages, installPackages } from './debian.mjs'
import { at, NODE, ourEnv } from './root.mjs'
import { run, step } from './steps.mjs'

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const PLACES = [
  HEADLESS_SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const INSIDE_PLAYWRIGHT = ['chrome-headless-shell-linux64/chrome-headless-shell', 'chrome-linux64/chrome']
const HOW = 'install Chromium (Debian: apt-get install chromium-headless-shell fonts-liberation) or set CHROMIUM_PATH'
const DOWNLOAD_PATIENCE_MS = 120_000

/** Where a Chromium is, or null. */
function findChromium() {
  const given = process.env.CHROMIUM_PATH
  if (given) return existsSync(given) ? given : null
  return PLACES.find((place) => existsSync(place)) ?? downloaded()
}

/** One that Playwright downloaded for this user. */
function downloaded() {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? path.join(homedir(), '.cache', 'ms-playwright')
  if (!existsSync(cache)) return null
  const folders = readdirSync(cache).filter((name) => name.startsWith('chromium'))
  const places = INSIDE_PLAYWRIGHT.flatMap((file) => folders.map((name) => path.join(cache, name, file)))
  return places.find((place) => existsSync(place)) ?? null
}

/**
 * Finds a Chromium, or installs its headless shell: from Debian's packages when root, else by
 * Playwright's download where that can be reached, once our packages are `installed`. Null when
 * neither can be had.
 * @param {Promise<unknown>} [installed]
 */
export const ensureChromium = (installed) =>
  process.env.CHROMIUM_PATH ? findChromium() : findOrInstall(findChromium, () => installChromium(installed))

/**
 * What `find` finds, if need be once `install` has been tried.
 * @param {() => string | null} find
 * @param {() => Promise<unknown>} install
 */
async function findOrInstall(find, install) {
  const found = find()
  if (found) return found
  try {
    await install()
  } catch {
    // No packages, no network: the caller goes without, or says what does.
  }
  return find()
}

/** @param {Promise<unknown>} [installed] */
async function installChromium(installed) {
  if (hasPackages()) {
    // Debian has the headless shell as a package, Ubuntu has not.
    const install = (/** @type {string} */ name) => installPackages('Chromium', [name, 'fonts-liberation'])
    return install('chromium-headless-shell').catch(() => install('chromium'))
  }
  await installed
  const playwright = at('node_modules/playwright/cli.js')
  await step('Downloading Chromium', () =>
    run(NODE, [playwright, 'install', '--only-shell', 'chromium'], { env: ourEnv(), timeoutMs: DOWNLOAD_PATIENCE_MS }),
  )
}

/**
 * Finds Chromium's headless shell, also where there is a whole Chromium, which tests take three
 * times the CPU time in, or installs it where it is a package of Debian. Null when it cannot be
 * had.
 */
export const ensureHeadlessShell = () =>
  findOrInstall(
    () => (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : null),
    async () => hasPackages() && installPackages("Chromium's headless shell", ['chromium-headless-shell']),
  )

/** The one line for those who go without. */
export const withoutChromium = (/** @type {string} */ what) =>
  process.env.CHROMIUM_PATH
    ? `${what}: there is nothing at CHROMIUM_PATH (${process.env.CHROMIUM_PATH}).`
    : `${what}: ${HOW}.`
