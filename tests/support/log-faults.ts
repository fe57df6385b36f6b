import { stripVTControlCharacters } from 'node:util'

const ERROR_LEVEL = 50

type Line = { level?: unknown; msg?: unknown }

function parsed(line: string): Line | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}

/** What is printed beside the log when all is well. */
const GREETINGS = [/^✓ Running next\.config/, /^Simulated providers on http/]

/**
 * The lines of a process's output that mean a fault of the program: level error or above, anything
 * unhandled, and whatever is no line of the log, such as a stack trace that Next prints.
 */
export const findLogFaults = (output: string): string[] =>
  stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => line.trim() !== '' && !GREETINGS.some((greeting) => greeting.test(line)))
    .filter((line) => Number(parsed(line)?.level ?? ERROR_LEVEL) >= ERROR_LEVEL || /unhandled/i.test(line))
