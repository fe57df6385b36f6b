import { readdirSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from '../project'

type Module = { name: string; from: string }

/** `server/tools/settings.ts`: without the tools themselves, so that a command can check settings quickly. */
export function toolSettingsFile(): string {
  const modules = foldersWith('server/tools', 'settings.ts').map((folder) => ({
    name: `${camelCase(folder)}Settings`,
    from: `./${folder}/settings`,
  }))
  return `import type { Settings } from '../env'
${importsOf(modules)}

/** The settings of every tool group. Written by \`npm run generate\`. */
export const toolSettings: readonly Settings[] = [${modules.map(({ name }) => name).join(', ')}]
`
}

/** `server/sandbox/routes.ts`. */
export function sandboxRoutesFile(): string {
  const modules = foldersWith('server/sandbox', 'routes.ts').map((folder) => ({
    name: `${camelCase(folder)}Routes`,
    from: `./${folder}/routes`,
  }))
  return `${importsOf(modules)}
import type { SandboxRoute } from './route'

/** The routes of every simulated provider. Written by \`npm run generate\`. */
export const sandboxRoutes: readonly SandboxRoute[] = [${modules.map(({ name }) => `...${name}`).join(', ')}]
`
}

const importsOf = (modules: readonly Module[]) =>
  modules.map(({ name, from }) => `import { ${name} } from '${from}'`).join('\n')

/** The folders in a folder that contain a file of this name, by name. */
const foldersWith = (parent: string, file: string): string[] =>
  readdirSync(path.join(PROJECT_ROOT, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(path.join(PROJECT_ROOT, parent, entry.name)).includes(file))
    .map(({ name }) => name)
    .sort()

/** `real-estate` as `realEstate`. */
const camelCase = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
