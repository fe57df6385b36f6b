import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { AnyTool } from '../../tools/define'
import { toolGroups } from '../../tools/registry'
import { PROJECT_ROOT } from '../kit/project'
import { envExample } from './env-example'
import { sandboxRoutesFile, toolSettingsFile } from './module-lists'
import { wiresPage } from './wires-page'

const [START, END] = ['<!-- Tools: written by npm run generate -->', '<!-- End of tools -->']

/**
 * The README with its table of tools: a row for the tools of a group that share price and provider.
 */
function withToolTable(readme: string): string {
  const [start, end] = [readme.indexOf(START), readme.indexOf(END)]
  if (start < 0 || end < start) throw new Error(`README.md must contain ${START} and, after it, ${END}.`)
  return `${readme.slice(0, start)}${START}\n\n${toolTable()}\n\n${readme.slice(end)}`
}

function toolTable(): string {
  const rows = toolGroups.flatMap(({ tools, provider }) => {
    const byFacts = Map.groupBy(tools, (tool) => `${priceOf(tool)} | ${tool.provider ?? provider}`)
    return [...byFacts].map(([facts, same]) => `| ${same.map(({ id }) => `\`${id}\``).join(', ')} | ${facts} |`)
  })
  return ['| Tool | Credits | Provider |', '| --- | --- | --- |', ...rows].join('\n')
}

const priceOf = ({ pricing }: AnyTool): string =>
  pricing.kind === 'fixed' ? String(pricing.credits) : "metered: the provider's cost plus markup"

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
