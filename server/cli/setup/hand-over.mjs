import { spawn } from 'node:child_process'
import { at, NODE, ourEnv } from './root.mjs'

/**
 * Goes on in a program of ours on the pinned Node, and answers its exit code. It hears of our end through the channel
 * between us, however we end; and it handles Ctrl-C itself, as the terminal sends that to both.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
export function handOver(args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(NODE, args, {
      cwd: at(),
      env: { ...ourEnv(), ...env },
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    process.on('SIGINT', () => {})
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'))
    const stopWatching = watchNpm(() => child.kill('SIGTERM'))
    child.on('exit', (code) => {
      stopWatching()
      resolve(code ?? 1)
    })
  })
}

/** npm has no channel to us: that it was killed shows only in our having another parent. */
function watchNpm(/** @type {() => void} */ onGone) {
  if (!process.env.npm_lifecycle_event) return () => {}
  const parent = process.ppid
  const timer = setInterval(() => process.ppid !== parent && onGone(), 500)
  return () => clearInterval(timer)
}
