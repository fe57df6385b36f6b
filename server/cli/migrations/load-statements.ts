import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { allStatements } from '../../kit/statement'
import { CliError, PROJECT_ROOT } from '../kit/project'

/**
 * Loads every module of `server/` that defines statements, and returns them all. From the sources
 * only.
 */
export async function loadStatements(): Promise<ReturnType<typeof allStatements>> {
  if (!import.meta.url.endsWith('.ts')) throw new CliError('Run this from the sources: npx tsx server/cli/migrate.ts')
  const server = path.join(PROJECT_ROOT, 'server')
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => path.join(server, name))
    .filter((file) => /\bstatement(Family)?\(\{/.test(readFileSync(file, 'utf8')))
  for (const file of files.sort()) await import(/* @vite-ignore */ pathToFileURL(file).href)
  return allStatements()
}
