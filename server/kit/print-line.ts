import { format, stripVTControlCharacters } from 'node:util'
import { log } from './log'
import { sendToLauncher } from './siblings'

const lines = { areJson: false }

/**
 * From here on, whatever this process prints is JSON, as its log is, unless a person reads it at a
 * terminal. Packages that write to the console write to the log.
 */
export function printJsonLines(): void {
  if (process.stderr.isTTY) return
  lines.areJson = true
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    console[level] = (...parts: unknown[]) => log[level](stripVTControlCharacters(format(...parts)).trim())
  console.log = console.info
  // Node would print them as errors.
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => log.warn({ warning: name }, message))
}

/** pino's numbers. */
const LEVELS = { info: 30, fatal: 60 } as const

/**
 * Writes a line for operators to stderr, at once: a process may be about to end. Its launcher reads
 * why.
 */
export function printLine(text: string, level: keyof typeof LEVELS = 'fatal'): void {
  if (level === 'fatal') sendToLauncher({ kind: 'problem', text })
  const line = lines.areJson ? JSON.stringify({ level: LEVELS[level], time: Date.now(), msg: text }) : text
  process.stderr.write(`${line}\n`)
}
