import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

function rootFrom(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : rootFrom(path.dirname(folder))
}

/** The project's folder, from the source tree and from `dist/` alike. */
export const ROOT = rootFrom(path.dirname(fileURLToPath(import.meta.url)))

/** A path under `.data/`, where everything lives that a run leaves behind. Makes `.data/` itself. */
export function dataPath(...names: string[]): string {
  mkdirSync(path.join(ROOT, '.data'), { recursive: true })
  return path.join(ROOT, '.data', ...names)
}

/** What went wrong with the operator's side of things: told in one line, never with a stack. */
export class CliError extends Error {
  override name = 'CliError'
}

/**
 * Runs an entry point and ends the process with the code it answers. Its errors become one line on stderr and exit
 * code 1. The exit is explicit because Prisma's engine leaves a timer behind that would hold the process for 10 s.
 */
export async function main(run: () => Promise<number>): Promise<never> {
  try {
    process.exit(await run())
  } catch (error) {
    const isKnown = error instanceof CliError
    process.stderr.write(`${isKnown ? error.message : `Unexpected: ${error instanceof Error ? error.stack : error}`}\n`)
    process.exit(1)
  }
}
