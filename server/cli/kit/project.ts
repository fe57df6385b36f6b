import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { printLine } from '../../kit/print-line'
import { makeFolder } from './make-folder'

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
  makeFolder(dataFolder())
  return path.resolve(dataFolder(), ...names)
}

/** A path as an operator reads it: below the project where it is there, else in full. */
export function displayPath(file: string): string {
  const below = path.relative(PROJECT_ROOT, file)
  return below.startsWith('..') || path.isAbsolute(below) ? file : below
}

/** A packed folder and an image have no npm: their commands are arguments. */
const isPacked = (): boolean => !existsSync(path.join(PROJECT_ROOT, 'package-lock.json'))

/** A text for operators with the commands as they are run here. */
export function asRunHere(text: string, packed = isPacked()): string {
  if (!packed) return text
  return text
    .replaceAll(/ npm run quickstart [^.]{0,99}\./g, '')
    .replaceAll('npm run admin -- ', 'admin ')
    .replaceAll(/npm run db:migrate(?: --(?= ))?/g, 'migrate')
    .replaceAll('npm start', 'web')
    .replaceAll(/npm run (worker|sandbox|setup)/g, '$1')
}

/** An error the operator can fix: printed in one line, without a stack. */
export class CliError extends Error {
  override name = 'CliError'
}

const WRITE_PROBLEMS: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOTDIR: 'a part of the path is not a folder',
  EIO: 'the disk fails',
}

/** Why a file could not be written, in words for the operator; null for any other error. */
export const writeProblem = (error: unknown): string | null =>
  WRITE_PROBLEMS[(error as NodeJS.ErrnoException | null)?.code ?? ''] ?? null

function lineForOperator(error: unknown): string {
  if (error instanceof CliError) return error.message
  const problem = writeProblem(error)
  const { path: file, stack } = error as NodeJS.ErrnoException
  if (problem && file) return `Cannot write ${displayPath(file)}: ${problem}. DATA_DIR may name another folder.`
  return `Unexpected: ${stack ?? error}`
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
    printLine(asRunHere(lineForOperator(error)))
    process.exit(1)
  }
}
