import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { Version } from '../../http/version'
import { PROJECT_ROOT } from '../kit/project'
import { BUILD_RECORD } from '../setup/build-record.mjs'
import { migrationNames } from './files'

const PackageJson = z.object({ name: z.string(), version: z.string() })

/** What package.json says runs here. */
export const readPackage = (): z.infer<typeof PackageJson> =>
  PackageJson.parse(JSON.parse(readFileSync(path.join(PROJECT_ROOT, 'package.json'), 'utf8')))

const BuildRecord = z.object({ commit: z.string().nullable(), build: z.string() })

/**
 * What runs here: name, version with the id of its build, the commit it was built from, and the
 * schema it expects. Sources that run without a build have neither id nor commit.
 */
export function readVersion(): Version {
  const { name, version } = readPackage()
  const built = path.join(PROJECT_ROOT, BUILD_RECORD)
  const schema = migrationNames().at(-1) ?? null
  if (!existsSync(built)) return { name, version, commit: null, schema }
  const { commit, build } = BuildRecord.parse(JSON.parse(readFileSync(built, 'utf8')))
  return { name, version: `${version}+${build}`, commit, schema }
}
