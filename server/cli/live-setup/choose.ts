import { createInterface } from 'node:readline/promises'
import { withoutTrailingSlashes } from '../../kit/trailing-slashes'
import { apiKeyEnvOption, providerOf } from '../admin/model-options'
import { readSecretLine } from '../admin/secret'
import { CliError } from '../kit/project'
import { MODEL_PROVIDERS, type ModelProvider } from './model-providers'

const canAsk = (): boolean => process.stdin.isTTY === true

/** How a question is put on a terminal, and which option answers it without one. */
type Question = { text: string; option: string; fallback?: string; isSecret?: boolean }

/**
 * The answer to a question: what the option says, else what a person types, else the fallback.
 * Throws a CliError that names the option where nobody can be asked.
 */
async function ask(given: string | undefined, { text, option, fallback, isSecret }: Question): Promise<string> {
  if (given !== undefined) return given
  if (!canAsk()) {
    if (fallback !== undefined) return fallback
    throw new CliError(`--${option} is missing: ${text}`)
  }
  const hint = fallback ? ` (${fallback})` : ''
  const typed = isSecret ? await readSecretLine(`${text}: `) : await readLine(`${text}${hint}: `)
  if (typed.trim() !== '') return typed.trim()
  if (fallback !== undefined) return fallback
  return ask(undefined, { text, option, isSecret })
}

async function readLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await lines.question(question)
  } finally {
    lines.close()
  }
}

/** The options of the command line. */
export type SetupOptions = Readonly<Record<string, string | undefined>>

/** Variables for `.env`. */
export type ChosenSettings = Record<string, string>

/** Asks for a provider of models, by name or base URL, and for its key. */
export async function chooseModelProvider(
  options: SetupOptions,
): Promise<{ provider: ModelProvider; settings: ChosenSettings }> {
  const names = MODEL_PROVIDERS.map(({ id }) => id).join(', ')
  const named = await ask(options.provider, {
    text: `Where do your models come from: ${names}, or the base URL of an OpenAI-compatible API`,
    option: 'provider',
  })
  const provider = MODEL_PROVIDERS.find(({ id }) => id === named.toLowerCase()) ?? customProvider(named, names)
  // A server of your own needs no key, but may have one.
  const apiKeyEnv = provider.apiKeyEnv ?? (options.key ? `${provider.id.toUpperCase()}_API_KEY` : null)
  if (apiKeyEnv === null) return { provider, settings: {} }
  const key = await ask(options.key ?? process.env[apiKeyEnv], {
    text: `Its API key (${apiKeyEnv})`,
    option: 'key',
    isSecret: true,
  })
  return { provider: { ...provider, apiKeyEnv }, settings: { [apiKeyEnv]: key } }
}

function customProvider(named: string, names: string): ModelProvider {
  if (!URL.canParse(named) || !/^https?:/.test(named))
    throw new CliError(`--provider must be one of ${names}, or an http(s) URL.`)
  const url = new URL(named)
  return {
    id: providerOf({}, url),
    baseUrl: withoutTrailingSlashes(url.href),
    apiKeyEnv: apiKeyEnvOption({}, url),
    api: 'chat',
  }
}

/** Asks for a search engine; tools without a provider are not offered. */
export async function chooseSearch(options: SetupOptions): Promise<ChosenSettings> {
  const engine = await ask(options.search, {
    text: 'Web search: brave, the URL of a SearXNG instance, or none',
    option: 'search',
    fallback: process.env.BRAVE_SEARCH_API_KEY ? 'brave' : 'none',
  })
  if (engine === 'none') return {}
  if (engine === 'brave') {
    const key = await ask(options['search-key'] ?? process.env.BRAVE_SEARCH_API_KEY, {
      text: 'Its API key (BRAVE_SEARCH_API_KEY)',
      option: 'search-key',
      isSecret: true,
    })
    return { BRAVE_SEARCH_API_KEY: key }
  }
  if (!URL.canParse(engine) || !/^https?:/.test(engine))
    throw new CliError('--search must be brave, none, or the http(s) URL of a SearXNG instance.')
  return { SEARXNG_URL: withoutTrailingSlashes(engine) }
}

/** The database to use; the embedded one needs nothing else. */
export const chooseDatabase = async (options: SetupOptions): Promise<ChosenSettings> => ({
  DATABASE_URL: await ask(options.database ?? process.env.DATABASE_URL, {
    text: 'PostgreSQL URL, or embedded',
    option: 'database',
    fallback: 'embedded',
  }),
})

export type FirstAdmin = { email: string; password: string; credits: string }

/** The first owner, who is an admin, and the credits to begin with. */
export async function chooseAdmin(options: SetupOptions): Promise<FirstAdmin> {
  const email = await ask(options.email, { text: 'E-mail of the first admin', option: 'email' })
  const password = await ask(options.password ?? process.env.SETUP_PASSWORD, {
    text: 'Password',
    option: 'password',
    isSecret: true,
  })
  const credits = await ask(options.credits, { text: 'Credits to begin with', option: 'credits', fallback: '100000' })
  if (!/^[1-9]\d{0,11}$/.test(credits)) throw new CliError('--credits must be a whole number above 0.')
  return { email, password, credits }
}
