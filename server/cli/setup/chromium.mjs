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
const INSIDE_PLAYWRIGHT = [
  'chrome-headless-shell-linux64/chrome-headless-shell',
  'chrome-headless-shell-linux-arm64/chrome-headless-shell',
  'chrome-linux64/chrome',
  'chrome-linux-arm64/chrome',
  'chrome-linux/chrome',
]
const HOW = 'install Chromium (Debian: apt-get install chromium-headless-shell fonts-liberation) or set CHROMIUM_PATH'
const DOWNLOAD_PATIENCE_MS = 120_000

/** Where a Chromium is, or null. */
function findChromium() {
  const given = process.env.CHROMIUM_PATH
  if (given) return existsSync(given) ? given : null
  return PLACES.find((place) => existsSync(place)) ?? downloaded()
}

/** The newest that Playwright downloaded for this user. */
function downloaded() {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? path.join(homedir(), '.cache', 'ms-playwright')
  if (!existsSync(cache)) return null
  const versionOf = (/** @type {string} */ name) => Number(name.split('-').at(-1))
  const folders = readdirSync(cache).filter((name) => name.startsWith('chromium'))
  folders.sort((a, b) => versionOf(b) - versionOf(a) || (a < b ? 1 : -1))
  const places = folders.flatMap((name) => INSIDE_PLAYWRIGHT.map((file) => path.join(cache, name, file)))
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
  // Debian has the headless shell as a package, Ubuntu has not.
  if (await ensureHeadlessShell()) return
  if (hasPackages()) return installPackages('Chromium', ['chromium', 'fonts-liberation'])
  await installed
  const playwright = at('node_modules/playwright/cli.js')
  await step('Downloading Chromium', () =>
    run(NODE, [playwright, 'install', '--only-shell', 'chromium'], { env: ourEnv(), timeoutMs: DOWNLOAD_PATIENCE_MS }),
  )
}

/**
 * The headless shell, sought once: package lists are not read again for what they do not have.
 * @type {Promise<string | null> | undefined}
 */
let sought

/**
 * Finds Chromium's headless shell, also where there is a whole Chromium, which tests take three
 * times the CPU time in, or installs it where it is a package of Debian. Null when it cannot be
 * had.
 */
export function ensureHeadlessShell() {
  const packages = ['chromium-headless-shell', 'fonts-liberation']
  sought ??= findOrInstall(
    () => (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : null),
    async () => hasPackages() && installPackages("Chromium's headless shell", packages),
  )
  return sought
}

/** The one line for those who go without. */
export const withoutChromium = (/** @type {string} */ what) =>
  process.env.CHROMIUM_PATH
    ? `${what}: there is nothing at CHROMIUM_PATH (${process.env.CHROMIUM_PATH}).`
    : `${what}: ${HOW}.`
