import { spawnSync } from 'node:child_process'
import { ourEnv } from './root.mjs'
import { run, step } from './steps.mjs'

/** Whether this user may install packages of Debian here. */
export const hasPackages = () => process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0

/** A mirror that is silent holds up nothing for minutes: what cannot be had is gone without. */
const IN_TIME = ['http', 'https'].flatMap((scheme) => ['-o', `Acquire::${scheme}::Timeout=20`])

/** @param {string} what @param {string[]} names */
export async function installPackages(what, names) {
  const env = { ...ourEnv(), DEBIAN_FRONTEND: 'noninteractive' }
  await step(`Installing ${what} from the system packages`, async () => {
    await run('apt-get', [...IN_TIME, 'update', '-qq'], { env })
    await run('apt-get', [...IN_TIME, 'install', '-y', '--no-install-recommends', '--no-remove', ...names], { env })
  })
}
