import { spawn } from 'node:child_process'
import { hostEnv } from './root.mjs'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const QUIET_MS = 1_000
const NEWS_EVERY_MS = 10_000

/** An error that stops a command: only its message is shown. */
export class Stop extends Error {}

const seconds = (/** @type {number} */ since) => `${((Date.now() - since) / 1000).toFixed(1)} s`

/**
 * Does one piece of work and shows that it goes on: a spinner on a terminal, else a line now and
 * then. All on stderr. Work that takes less than a second is not mentioned.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const since = Date.now()
  const stopShowing = process.stderr.isTTY ? spin(title, since) : printProgress(title, since)
  try {
    const result = await work()
    stopShowing('✓')
    return result
  } catch (error) {
    stopShowing('✗')
    throw error
  }
}

/**
 * What goes on now, by title, and since when: steps may run side by side.
 * @type {Map<string, number>}
 */
const current = new Map()
/** @type {ReturnType<typeof setInterval> | undefined} */
let spinning
let frame = 0

/** Draws every current step in one line, as far as it is wide. */
function draw() {
  const steps = Array.from(current, ([title, since]) => `${title} … ${seconds(since)}`).join(', ')
  const width = (process.stderr.columns || 80) - 3
  process.stderr.write(`\r\x1b[2K${FRAMES[frame++ % FRAMES.length]} ${steps.slice(0, width)}`)
}

/** @param {string} title @param {number} since */
function spin(title, since) {
  current.set(title, since)
  spinning ??= setInterval(draw, 100)
  return (/** @type {string} */ mark) => {
    current.delete(title)
    if (current.size === 0) {
      clearInterval(spinning)
      spinning = undefined
    }
    process.stderr.write('\r\x1b[2K')
    if (mark === '✗' || Date.now() - since > QUIET_MS) process.stderr.write(`${mark} ${title} (${seconds(since)})\n`)
  }
}

/** @param {string} title @param {number} since */
function printProgress(title, since) {
  let hasSpoken = false
  current.set(title, since)
  const speak = () => {
    const which = current.size > 1 ? `${title}, ` : ''
    process.stderr.write(hasSpoken ? `  … ${which}${seconds(since)}\n` : `- ${title} …\n`)
    hasSpoken = true
  }
  const first = setTimeout(speak, QUIET_MS)
  const later = setInterval(speak, NEWS_EVERY_MS)
  return (/** @type {string} */ mark) => {
    current.delete(title)
    clearTimeout(first)
    clearInterval(later)
    if (mark === '✗' || hasSpoken) process.stderr.write(`${mark} ${title} (${seconds(since)})\n`)
  }
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/** Ends what `run` started, with everything that started. */
function endAll() {
  for (const child of running) {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGTERM')
    } catch {
      // It has just ended.
    }
  }
}

/**
 * A Ctrl-C during a step ends the processes of the step and then this one. Returns a function that
 * undoes this.
 */
export function stopOnSignals() {
  const onSignal = () => {
    endAll()
    process.stderr.write('\nStopped.\n')
    process.exit(130)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return () => {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}

/**
 * @typedef {object} RunSettings
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [shown] its output is shown as it comes, too
 * @property {number} [timeoutMs]
 * @property {string} [cwd]
 */

/**
 * Runs a command to its end. Its output is kept, and the end of it is in the error when the command
 * fails. A group of its own lets us end the command with all its descendants.
 * @param {string} command
 * @param {string[]} args
 * @param {RunSettings} [settings]
 * @returns {Promise<string>} what it printed
 */
export function run(command, args, { env = hostEnv(), shown = false, timeoutMs = 0, cwd } = {}) {
  return new Promise((resolve, reject) => {
    const colors = shown && process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
    const child = spawn(command, args, {
      env: { ...env, ...colors },
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk).slice(-200_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    if (shown) {
      child.stdout.pipe(process.stdout, { end: false })
      child.stderr.pipe(process.stderr, { end: false })
    }
    const timer = timeoutMs > 0 ? setTimeout(endAll, timeoutMs) : undefined
    child.on('error', (error) => {
      running.delete(child)
      reject(new Stop(`Cannot run ${command}: ${error.message}`))
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      running.delete(child)
      if (code === 0) return resolve(output)
      const tail = output.trim().split('\n').slice(-200).join('\n')
      reject(new Stop(`${tail}${tail ? '\n' : ''}${[command, ...args].join(' ')} failed (${signal ?? `exit ${code}`})`))
    })
  })
}

/**
 * Runs a command; a Stop becomes its message and exit code 1.
 * @param {() => Promise<number>} work
 */
export async function command(work) {
  try {
    process.exitCode = await work()
  } catch (error) {
    process.stderr.write(`${error instanceof Stop ? error.message : error instanceof Error ? error.stack : error}\n`)
    process.exitCode = 1
  }
}
