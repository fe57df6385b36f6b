import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { PROJECT_ROOT } from '../kit/project'
import type { AdminCommand } from './options'

export const initCommand: AdminCommand = {
  name: 'init',
  usage: '[options of npm run setup]   (asks, and writes the settings of a live installation)',
  options: {},
  needsNothing: true,
  takesAnything: true,
  run: async () => {
    const args = process.argv.slice(process.argv.indexOf('init') + 1).filter((word) => word !== '--json')
    // What it prints is for people: stdout belongs to --json.
    const child = spawn(process.execPath, [path.join(PROJECT_ROOT, 'server/cli/setup.mjs'), ...args], {
      stdio: ['inherit', process.stderr, 'inherit'],
    })
    const [code] = await once(child, 'exit')
    const ok = code === 0
    return { data: { ok }, text: ok ? 'npm run admin -- doctor looks at all of it' : 'Not set up', failed: !ok }
  },
}
