import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from '../kit/project'
import { camelCase } from './tool-names'

type Module = { name: string; from: string }

/**
 * `server/tools/settings.ts`: without the tools themselves, so that a command can check settings
 * quickly.
 */
export function toolSettingsFile(): string {
  const modules = foldersIn('server/tools')
    .filter((folder) => filesIn(`server/tools/${folder}`).includes('settings.ts'))
    .map((folder) => ({
      name: `${camelCase(folder)}Settings`,
      from: `./${folder}/settings`,
    }))
  return `import type { Settings } from '../env'
${importsOf(modules)}

/** The settings of every tool group. Written by \`npm run generate\`. */
export const toolSettings: readonly Settings[] = [${modules.map(({ name }) => name).join(', ')}]
`
}

/**
 * `server/sandbox/routes.ts`: every `routes.ts` and `<part>-routes.ts` in the folder of a provider.
 */
export function sandboxRoutesFile(): string {
  const modules = foldersIn('server/sandbox').flatMap((folder) =>
    filesIn(`server/sandbox/${folder}`)
      .filter((file) => /^([\w-]+-)?routes\.ts$/.test(file))
      .map((file) => file.slice(0, -'.ts'.length))
      .map((module) => ({ name: camelCase(`${folder}-${module}`), from: `./${folder}/${module}` })),
  )
  return `${importsOf(modules)}
import type { SandboxRoute } from './kit/route'

/** The routes of every simulated provider. Written by \`npm run generate\`. */
export const sandboxRoutes: readonly SandboxRoute[] = [${modules.map(({ name }) => `...${name}`).join(', ')}]
`
}

const importsOf = (modules: readonly Module[]) =>
  modules.map(({ name, from }) => `import { ${name} } from '${from}'`).join('\n')

const filesIn = (folder: string): string[] => readdirSync(path.join(PROJECT_ROOT, folder)).sort()

const foldersIn = (parent: string): string[] =>
  filesIn(parent).filter((name) => statSync(path.join(PROJECT_ROOT, parent, name)).isDirectory())
