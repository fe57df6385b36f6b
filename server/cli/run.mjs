// run.mjs <entry> <arguments>: an entry of ours from dist/ when that is up to date, else from its source.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { hasFreshEntries } from './setup/build.mjs'
import { at, NODE, ourEnv } from './setup/root.mjs'

const [entry = '', ...args] = process.argv.slice(2)
const isBuilt = hasFreshEntries() && existsSync(at('dist', `${entry}.js`))

/** @param {string} name */
const from = (name) =>
  isBuilt ? ['--enable-source-maps', at('dist', `${name}.js`)] : ['--import', 'tsx', at('server/cli', `${name}.ts`)]

if (!existsSync(NODE)) {
  process.stderr.write('Packages are not installed: run npm ci first.\n')
  process.exit(1)
}
const child = spawn(NODE, [...from('launch'), ...from(entry), ...args], { cwd: at(), env: ourEnv(), stdio: 'inherit' })
// The terminal sends Ctrl-C to the launcher as well; this process waits for the outcome, and passes on the rest.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code) => {
  process.exitCode = code ?? 130
})
