import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, LaunchOptions } from 'playwright-core'
import { log } from '../../kit/log'
import { unprivilegedId } from '../../kit/system-user'

/**
 * No traffic beside the proxy, no DNS lookup by the browser itself, no background requests.
 * Headless Chromium reads the WebRTC policy from `--webrtc-ip-handling-policy`; other builds know
 * it as `--force-webrtc-ip-handling-policy`.
 */
const ARGS = [
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
]

const SETPRIV = '/usr/bin/setpriv'
/**
 * The user it runs as when this process is root: one without access to data folder and database.
 */
const USER = unprivilegedId('browser')

/**
 * Drops root before Chromium starts; the profile folder, which Playwright made as root, goes to the
 * new user first.
 */
const WRAPPER = `#!/bin/sh
for arg in "$@"; do
  case "$arg" in --user-data-dir=*) profile="\${arg#*=}" ;; esac
done
chown -R ${USER}:${USER} "$profile" && cd / || exit 1
export HOME="$profile"
exec ${SETPRIV} --reuid=${USER} --regid=${USER} --clear-groups --inh-caps=-all -- "$TOLLGATE_CHROMIUM" "$@"
`

type Attempt = { sandbox: boolean; drop: boolean }

/**
 * Starts a headless Chromium whose traffic goes to `proxyUrl` only: not as root and inside its own
 * sandbox where this machine allows both, else with one warning. Throws the last attempt's error.
 */
export async function launchChromium(executable: string, proxyUrl: string): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  const drop = isRoot && existsSync(SETPRIV)
  const attempts: Attempt[] = [
    ...(drop || !isRoot ? [{ sandbox: true, drop }] : []),
    ...(drop ? [{ sandbox: false, drop }] : []),
    { sandbox: false, drop: false },
  ]
  let failure: unknown
  for (const attempt of attempts) {
    try {
      const browser = await start(executable, proxyUrl, attempt)
      warnOnce(attempt, isRoot)
      return browser
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

async function start(executable: string, proxyUrl: string, { sandbox, drop }: Attempt): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  const options: LaunchOptions = {
    headless: true,
    args: ARGS,
    chromiumSandbox: sandbox,
    proxy: { server: proxyUrl },
    // The browser does not get the settings in the environment.
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', TOLLGATE_CHROMIUM: executable },
    // Calls in progress finish before the browser stops: closeChromium decides when.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: 30_000,
  }
  if (!drop) return chromium.launch({ ...options, executablePath: executable })
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-chromium-'))
  const wrapper = path.join(folder, 'chromium')
  try {
    await writeFile(wrapper, WRAPPER)
    await chmod(wrapper, 0o700)
    return await chromium.launch({ ...options, executablePath: wrapper })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

let hasWarned = false

function warnOnce({ sandbox, drop }: Attempt, isRoot: boolean): void {
  const missing = [sandbox ? '' : 'without its sandbox', isRoot && !drop ? 'as root' : ''].filter(Boolean)
  if (missing.length === 0) return
  if (hasWarned) return
  hasWarned = true
  log.warn(`Chromium runs ${missing.join(' and ')} here: pages are kept apart less well than they could be`)
}
