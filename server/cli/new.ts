import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { CliError, PROJECT_ROOT } from './kit/project'
import { writeNewTool } from './new-tool/write'

/**
 * `npm run new tool <group> <id>`: the files of a tool, formatted and ready to run against its
 * simulation.
 */
function run([kind, group, id, ...rest]: string[]): void {
  if (kind !== 'tool' || !group || !id || rest.length > 0)
    throw new CliError('Usage: npm run new tool <group> <id>, such as npm run new tool weather weather_forecast')
  const files = writeNewTool(group, id)
  for (const file of files) process.stdout.write(`${file}\n`)
  // In another process: this one has loaded the registry without the new tool.
  const generate = path.join(PROJECT_ROOT, 'server/cli/write-generated.ts')
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', generate], { cwd: PROJECT_ROOT, stdio: 'inherit' })
  if (status !== 0) throw new CliError('The tool was written, but npm run generate failed.')
  process.stdout.write(`\nRun it against its simulation: npx vitest run server/tools/${group}/${id}.test.ts\n`)
}

try {
  run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof CliError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
