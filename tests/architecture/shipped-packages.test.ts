import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import packageJson from '../../package.json' with { type: 'json' }
import { IN_PAGES, IN_PROCESSES } from '../../server/cli/setup/packages.mjs'
import { SOURCE_ROOT } from '../support/source-imports'

const flag = z.boolean().optional()
const Lock = z.object({ packages: z.record(z.string(), z.object({ dev: flag, optional: flag, devOptional: flag })) })

/** Bytes of a package, without those inside it. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const at = path.join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + sizeOf(at)
    return entry.isFile() ? sum + statSync(at).size : sum
  }, 0)
}

test('what the build copies is a development package', () => {
  const copied = [...IN_PAGES, ...IN_PROCESSES]
  expect(copied.filter((name) => !(name in packageJson.devDependencies))).toEqual([])
})

// The packed folder has a third of this: it leaves out what its processes do not load.
test('what an installation without development packages must have stays below 440 MB', () => {
  const lock = Lock.parse(JSON.parse(readFileSync(path.join(SOURCE_ROOT, 'package-lock.json'), 'utf8')))
  const packages = Object.entries(lock.packages).filter(
    ([at, { dev, optional, devOptional }]) => at && !dev && !optional && !devOptional,
  )
  const installed = packages.map(([at]) => path.join(SOURCE_ROOT, at)).filter((folder) => existsSync(folder))
  const megabytes = installed.reduce((sum, folder) => sum + sizeOf(folder), 0) / 1e6
  expect(installed.length).toBeGreaterThan(150)
  expect(megabytes).toBeLessThan(440)
})
