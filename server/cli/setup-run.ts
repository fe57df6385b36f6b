// The second half of npm run setup: asks, or takes options, writes settings and models, makes the
// first admin, and calls every provider once.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { AppError } from '../errors'
import { importModelLists } from '../models/import'
import { newModelsFile, settingsFile } from './kit/config-folder'
import { CliError, displayPath, PROJECT_ROOT, runMain } from './kit/project'
import { checkSettings, loadSettings } from './kit/settings'
import { chooseAdmin, chooseDatabase, chooseModelProvider, chooseSearch, type SetupOptions } from './live-setup/choose'
import { writeEnvFile } from './live-setup/env-file'
import type { ModelProvider } from './live-setup/model-providers'

const USAGE = `npm run setup -- [--provider NAME|URL] [--key KEY] [--assume-context N] [--search brave|URL|none] [--search-key KEY]
  [--database URL|embedded] [--email E] [--password P] [--credits N] [--public-url URL]
  [--simulate NAMES]   (providers that stay simulated, such as reddit,x; SANDBOX_PROVIDERS in .env.example)
  [--dir FOLDER]   (for the settings, env, and the models, models.json: CONFIG_DIR names it to the service. Without it
                   they are .env and models.json in this folder)
Asks for what is missing on a terminal. Keys may also come from the environment: OPENAI_API_KEY and the like,
BRAVE_SEARCH_API_KEY, SETUP_PASSWORD.`

const OPTIONS = [
  'provider',
  'key',
  'assume-context',
  'search',
  'search-key',
  'database',
  'email',
  'password',
  'credits',
  'public-url',
  'simulate',
  'dir',
] as const

const say = (line: string) => process.stdout.write(`${line}\n`)

function readOptions(): SetupOptions {
  const options = Object.fromEntries(OPTIONS.map((name) => [name, { type: 'string' as const }]))
  try {
    return parseArgs({ options, strict: true }).values as SetupOptions
  } catch (error) {
    throw new CliError(`${(error as Error).message.split('. ')[0]}\n${USAGE}`)
  }
}

async function writeModels(provider: ModelProvider, options: SetupOptions): Promise<string> {
  const { baseUrl, apiKeyEnv, api, id } = provider
  const given = options['assume-context']
  const contextSize = given === undefined ? provider.assumeContext : Number(given)
  if (contextSize !== undefined && !(Number.isSafeInteger(contextSize) && contextSize > 0))
    throw new CliError('--assume-context must be a whole number above 0.')
  const assumed = { provider: id, contextSize, prices: provider.assumePrice }
  const { models, skipped } = await importModelLists({ baseUrl, apiKeyEnv, api, markup: 1, assumed }).catch((error) => {
    throw error instanceof AppError ? new CliError(error.message) : error
  })
  if (models.length === 0) {
    const why = skipped.slice(0, 5).map((model) => `  ${model.id}: ${model.why}`)
    throw new CliError([`${baseUrl} lists no model that can be used.`, ...why].join('\n'))
  }
  const file = newModelsFile()
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(models, null, 2)}\n`, { mode: 0o600 })
  say(
    `✓ ${displayPath(file)}: ${models.length} model${models.length === 1 ? '' : 's'} of ${id}, ${skipped.length} left out`,
  )
  return models.find(({ kind }) => kind === 'chat')?.id ?? models[0]?.id ?? ''
}

/** Runs one of the operator's commands with the settings written above; returns what it printed. */
async function runCommand(args: readonly string[], input = ''): Promise<{ code: number | null; output: string }> {
  const run = path.join(PROJECT_ROOT, 'server', 'cli', 'run.mjs')
  const child = spawn(process.execPath, [run, ...args], { cwd: PROJECT_ROOT, stdio: 'pipe' })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [out, errors, code] = await Promise.all([readAll(child.stdout), readAll(child.stderr), ended])
  return { code, output: `${out}${errors}`.trim() }
}

async function mustRun(args: readonly string[], input?: string): Promise<string> {
  const { code, output } = await runCommand(args, input)
  if (code !== 0) throw new CliError(output)
  return output
}

async function makeAdmin({ email, password, credits }: Awaited<ReturnType<typeof chooseAdmin>>): Promise<void> {
  const made = await runCommand(['admin', 'owner', 'create', '--email', email, '--admin'], `${password}\n`)
  if (made.code !== 0 && !/already/i.test(made.output)) throw new CliError(made.output)
  if (made.code !== 0) {
    say(`✓ ${email} exists already, and stays as it was`)
    return
  }
  await mustRun(['admin', 'credits', 'grant', '--email', email, '--credits', credits, '--note', 'setup'])
  say(`✓ admin ${email} with ${credits} credits`)
}

/** One call at the models' provider, and one at the search engine's; false where one failed. */
async function checkProviders(modelId: string, hasSearch: boolean): Promise<boolean> {
  const checks = [await runCommand(['admin', 'models', 'check', '--id', modelId])]
  if (hasSearch) checks.push(await runCommand(['admin', 'tools', 'check', '--tools', 'web_search']))
  for (const { output } of checks) say(output.replaceAll(/^Database: .*\n?/gm, '').trim())
  return checks.every(({ code }) => code === 0)
}

await runMain(async () => {
  const options = readOptions()
  if (options.dir !== undefined) process.env.CONFIG_DIR = path.resolve(options.dir)
  loadSettings({ isSandbox: false })
  const mode = {
    UPSTREAMS: 'live',
    ...(process.env.LIVE_PROVIDERS && { LIVE_PROVIDERS: '' }),
    ...(options.simulate !== undefined && { SANDBOX_PROVIDERS: options.simulate }),
  }
  Object.assign(process.env, mode)
  // Refuses unknown names before anything is asked or written.
  checkSettings()
  const { provider, settings: modelSettings } = await chooseModelProvider(options)
  const search = await chooseSearch(options)
  const database = await chooseDatabase(options)
  const admin = await chooseAdmin(options)
  Object.assign(process.env, modelSettings)
  const modelId = await writeModels(provider, options)
  const settings = {
    ...mode,
    ...database,
    MODELS_FILE: newModelsFile(),
    ...modelSettings,
    ...search,
    ...(options['public-url'] && { PUBLIC_URL: options['public-url'] }),
    AUTH_SECRET: process.env.AUTH_SECRET ?? '',
    ENCRYPTION_KEY: process.env.ENCRYPTION_KEY ?? '',
  }
  const file = settingsFile()
  const verb = existsSync(file) ? 'changed' : 'written'
  writeEnvFile(file, settings)
  Object.assign(process.env, settings)
  say(`✓ ${displayPath(file)} ${verb}`)
  if (database.DATABASE_URL !== 'embedded') await mustRun(['migrate'])
  await makeAdmin(admin)
  const isWorking = await checkProviders(
    modelId,
    Object.keys(search).length > 0 && !/\bsearch\b/.test(process.env.SANDBOX_PROVIDERS ?? ''),
  )
  say(
    isWorking
      ? '\nNext: npm run build && npm start, and npm run worker beside it for agent runs.'
      : '\nSettings are written, but a provider failed: see above. npm run setup again changes them.',
  )
  return isWorking ? 0 : 1
})
