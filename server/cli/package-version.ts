import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from './project'

/** The version that runs, by package.json. */
export function readPackageVersion(): string {
  const { version } = JSON.parse(readFileSync(path.join(PROJECT_ROOT, 'package.json'), 'utf8')) as { version: string }
  return version
}
