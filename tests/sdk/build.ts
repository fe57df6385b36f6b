import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { sdkFiles } from '../../server/cli/sdk/files'
import { SOURCE_ROOT } from '../support/source-imports'

/** A copy of `sdk` with its generated files, its TypeScript compiled. Returns its folder. */
export async function buildSdk(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-sdk-'))
  cpSync(path.join(SOURCE_ROOT, 'sdk'), path.join(folder, 'sdk'), { recursive: true })
  symlinkSync(path.join(SOURCE_ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  for (const [file, text] of Object.entries(await sdkFiles())) writeFileSync(path.join(folder, file), text)
  const tsc = path.join(SOURCE_ROOT, 'node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [
    tsc,
    '--checkers',
    '1',
    '-p',
    path.join(folder, 'sdk/typescript'),
  ]).catch((error) => {
    throw new Error(error.stdout)
  })
  return folder
}

export type EndedProgram = { exitCode: number | null; output: string; errors: string }

type RunOptions = { env?: Record<string, string>; cwd?: string; input?: string }

/** Runs a program to its end, with nothing of this process's environment but its PATH. */
export const runToEndOf = (
  command: string,
  args: string[],
  { env = {}, cwd, input = '' }: RunOptions = {},
): Promise<EndedProgram> =>
  new Promise((resolve) => {
    const given = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production' as const, ...env }
    const child = execFile(command, args, { env: given, cwd }, (error, output, errors) =>
      resolve({ exitCode: error ? (typeof error.code === 'number' ? error.code : null) : 0, output, errors }),
    )
    child.stdin?.end(input)
  })
