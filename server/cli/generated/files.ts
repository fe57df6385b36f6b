import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { mayAs, ROLE_LEVELS, ROLES } from '../../accounts/shape'
import { procedureRoles } from '../../api/operations'
import type { AnyTool } from '../../tools/define'
import { toolGroups } from '../../tools/registry'
import { PROJECT_ROOT } from '../kit/project'
import { envExample } from './env-example'
import { sandboxRoutesFile, toolSettingsFile } from './module-lists'
import { wiresPage } from './wires-page'

/** A document with a table between the two comments that name what it is of. */
function withTable(file: string, name: string, table: string): string {
  const text = readFileSync(path.join(PROJECT_ROOT, file), 'utf8')
  const [first, last] = [`<!-- ${name}: written by npm run generate -->`, `<!-- End of ${name.toLowerCase()} -->`]
  const [start, end] = [text.indexOf(first), text.indexOf(last)]
  if (start < 0 || end < start) throw new Error(`${file} must contain ${first} and, after it, ${last}.`)
  return `${text.slice(0, start)}${first}\n\n${table}\n\n${text.slice(end)}`
}

/** Which roles a procedure of the dashboard lets in, by the least that it declares. */
function roleTable(): string {
  const rows = [...Map.groupBy(procedureRoles(), ({ least }) => least)]
    .sort(([a], [b]) => ROLE_LEVELS.indexOf(a) - ROLE_LEVELS.indexOf(b))
    .map(([least, of]) => {
      const roles = ROLES.map((role) => (mayAs(role, least) ? 'yes' : ''))
      return `| ${of.map(({ path: name }) => `\`${name}\``).join(', ')} | ${roles.join(' | ')} |`
    })
  const heads = ['Operation', ...ROLES]
  return [`| ${heads.join(' | ')} |`, `| ${heads.map(() => '---').join(' | ')} |`, ...rows].join('\n')
}

/** A row for the tools of a group that share price and provider. */
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
  'README.md': withTable('README.md', 'Tools', toolTable()),
  'docs/guides/people.md': withTable('docs/guides/people.md', 'Roles', roleTable()),
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
