import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { env } from '../../env'
import { lazy } from '../../kit/lazy'
import { log } from '../../kit/log'
import { BOX_ENV, BOX_PROGRAMS, boxFolders, pythonInBox } from './python-box'

const run = promisify(execFile)
const found = { isThere: false }

/**
 * Whether the shell's Python is the machine's own, with pandas and matplotlib: it is where they and
 * bubblewrap are installed, and where this process may make namespaces. Looked for once.
 */
export const systemPython = lazy(async (): Promise<boolean> => {
  found.isThere =
    env().SHELL_PYTHON === 'auto' && BOX_PROGRAMS.every((program) => existsSync(program)) && (await starts())
  return found.isThere
})

/** The same for texts, which do not wait; false until it is known. */
export const hasSystemPython = (): boolean => found.isThere

async function starts(): Promise<boolean> {
  const [program, args] = pythonInBox(boxFolders([]), ['-c', 'import pandas, matplotlib.pyplot'])
  try {
    await run(program, args, { timeout: 30_000, env: BOX_ENV })
    return true
  } catch (error) {
    log.info({ err: error }, "the shell's Python is the portable one: the machine's own did not start in its box")
    return false
  }
}
