import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { Version } from '../http/version'
import { migrationNames } from './migrations/files'
import { PROJECT_ROOT } from './project'

const PackageJson = z.object({ name: z.string(), version: z.string() })

/** What package.json says runs here. */
export const readPackage = (): z.infer<typeof PackageJson> =>
  PackageJson.parse(JSON.parse(readFileSync(path.join(PROJECT_ROOT, 'package.json'), 'utf8')))

/**
 * What runs here: name and version of the package, the commit of the build, the schema it expects.
 */
export function readVersion(): Version {
  const { name, version } = readPackage()
  const built = path.join(PROJECT_ROOT, 'dist', 'commit')
  const commit = existsSync(built) ? readFileSync(built, 'utf8').trim() : ''
  return { name, version, commit: commit || null, schema: migrationNames().at(-1) ?? null }
}
