import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sharedListener } from '../support/listener'
import { type Client, installFolder } from './install'
import { makeClientFolders, runClient } from './run-client'

/** Runs a program of `programs` with the packages it needs. Returns what it printed. */
export async function runProgram(name: string, client: Client, env: Record<string, string>): Promise<string> {
  const work = await installFolder(client)
  const { home, remove } = makeClientFolders()
  try {
    const code = readFileSync(path.join(import.meta.dirname, 'programs', `${name}.mjs`), 'utf8')
    const { url } = await sharedListener()
    const run = await runClient(process.execPath, ['--input-type=module', '-e', code], {
      home,
      work,
      env: { BASE_URL: url, ...env },
    })
    if (run.code !== 0) throw new Error(`${name} ended with ${run.code}:\n${run.stderr}`)
    return run.stdout.trim()
  } finally {
    remove()
  }
}
