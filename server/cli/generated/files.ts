import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from '../kit/project'
import { envExample } from './env-example'
import { sandboxRoutesFile, toolSettingsFile } from './module-lists'
import { withToolTable } from './tool-table'
import { wiresPage } from './wires-page'

/** Every generated file by its path, with the text that it should have. */
export const generatedFiles = (): Record<string, string> => ({
  '.env.example': envExample(),
  'README.md': withToolTable(readFileSync(path.join(PROJECT_ROOT, 'README.md'), 'utf8')),
  'docs/guides/wires.md': wiresPage(),
  'server/sandbox/routes.ts': formatCode('server/sandbox/routes.ts', sandboxRoutesFile()),
  'server/tools/settings.ts': formatCode('server/tools/settings.ts', toolSettingsFile()),
})

/** TypeScript as the linter wants it. Throws with the linter's words where it finds a mistake. */
export function formatCode(file: string, code: string): string {
  const biome = path.join(PROJECT_ROOT, 'node_modules/.bin/biome')
  const run = spawnSync(biome, ['check', '--write', `--stdin-file-path=${file}`], {
    cwd: PROJECT_ROOT,
    input: code,
    encoding: 'utf8',
  })
  if (run.error || run.status !== 0) throw new Error(`${file} cannot be formatted: ${run.error ?? run.stderr}`)
  return run.stdout
}
