import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { at, hasTerminal, ourEnv, runtime } from './root.mjs'

/**
 * Continues in a program on the pinned Node, or the host's in an installation without it; resolves
 * with its exit code. The program notices our end through the channel between us. Signals are
 * passed on as SIGTERM, any number of which is one request to stop; a Ctrl-C at a terminal reaches
 * it directly. Without a terminal that could have closed, SIGHUP stays what it is: it asks a
 * service to restart its processes.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
export function runOnPinnedNode(args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(runtime() ?? process.execPath, args, {
      cwd: at(),
      env: { ...ourEnv(), ...env },
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGTERM'))
    process.on('SIGHUP', () => child.kill(hasTerminal() ? 'SIGTERM' : 'SIGHUP'))
    const stopWatching = watchNpm(() => child.kill('SIGTERM'))
    child.on('exit', (code) => {
      stopWatching()
      resolve(code ?? 1)
    })
  })
}

/**
 * Calls `onGone` once npm, where it started us, was killed. It has no channel to us: that shows
 * only in other ancestors, its own or those of the shell between. Returns a function that stops.
 */
export function watchNpm(/** @type {() => void} */ onGone) {
  if (!process.env.npm_lifecycle_event) return () => {}
  const before = ancestors()
  const timer = setInterval(() => {
    if (ancestors() === before) return
    clearInterval(timer)
    onGone()
  }, 500)
  return () => clearInterval(timer)
}

function ancestors() {
  try {
    const fields = readFileSync(`/proc/${process.ppid}/stat`, 'utf8').split(')').at(-1)?.trim().split(' ')
    return `${process.ppid} ${fields?.[1]}`
  } catch {
    return String(process.ppid)
  }
}
