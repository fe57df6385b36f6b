import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

function rootFrom(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : rootFrom(path.dirname(folder))
}

/** The project's folder, from the source tree and from `dist/` alike. */
export const PROJECT_ROOT = rootFrom(path.dirname(fileURLToPath(import.meta.url)))

/**
 * The folder that DATA_DIR names, `.data` in the project unless it is set: for everything that a
 * run leaves behind.
 */
const dataFolder = (): string => path.resolve(PROJECT_ROOT, process.env.DATA_DIR || '.data')

/** A path in the data folder, or an absolute one as it is. Makes the data folder. */
export function dataPath(...names: string[]): string {
  mkdirSync(dataFolder(), { recursive: true })
  return path.resolve(dataFolder(), ...names)
}

/** A path as an operator reads it: below the project where it is there, else in full. */
export function displayPath(file: string): string {
  const below = path.relative(PROJECT_ROOT, file)
  return below.startsWith('..') || path.isAbsolute(below) ? file : below
}

/** An error the operator can fix: printed in one line, without a stack. */
export class CliError extends Error {
  override name = 'CliError'
}

/**
 * Runs an entry point and ends the process with the code it answers. Its errors become one line on
 * stderr and exit code 1. The exit is explicit because Prisma's engine leaves a timer behind that
 * would hold the process for 10 s.
 */
export async function runMain(run: () => Promise<number>): Promise<never> {
  try {
    process.exit(await run())
  } catch (error) {
    const isKnown = error instanceof CliError
    process.stderr.write(`${isKnown ? error.message : `Unexpected: ${error instanceof Error ? error.stack : error}`}\n`)
    process.exit(1)
  }
}
