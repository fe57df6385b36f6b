import { withoutTrailingSlashes } from '../../kit/trailing-slashes'
import { CommandError, type CommandOptions, textOption } from './options'

/** The words of a host's name; null for an address and for a name of one word. */
function hostLabels({ hostname }: URL): string[] | null {
  const labels = hostname.split('.')
  return labels.length < 2 || /^[\d.]+$|:/.test(hostname) ? null : labels
}

/** Hosts whose name is not their provider's. */
const PROVIDERS: Readonly<Record<string, string>> = { 'generativelanguage.googleapis.com': 'google' }

/** `--from`: the base URL of a provider's API. */
export function baseUrlOption(options: CommandOptions): URL {
  const from = withoutTrailingSlashes(textOption(options, 'from'))
  if (!URL.canParse(from) || !/^https?:/.test(from)) throw new CommandError('--from must be an http(s) URL.')
  return new URL(from)
}

/**
 * `--provider`, else the provider's name in its host: `api.openai.com` → openai; `local` for an
 * address.
 */
export function providerOf({ provider }: CommandOptions, url: URL): string {
  if (typeof provider !== 'string') return PROVIDERS[url.hostname] ?? hostLabels(url)?.at(-2)?.toLowerCase() ?? 'local'
  if (!/^[a-z0-9][\w.-]*$/i.test(provider)) throw new CommandError('--provider must be a word such as openai.')
  return provider
}

/**
 * `--key-env`: the variable that has the provider's key, by default from its host:
 * `openrouter.ai` → OPENROUTER_API_KEY. Null for an address, and where it is given empty.
 */
export function apiKeyEnvOption({ 'key-env': given }: CommandOptions, url: URL): string | null {
  if (typeof given === 'string') return given || null
  const provider = PROVIDERS[url.hostname] ?? hostLabels(url)?.at(-2)
  return provider ? `${provider.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_API_KEY` : null
}

/** Two prices, USD per million tokens of input and of output, such as `0.25/2`. */
export function priceOption(options: CommandOptions, name: string): { input: number; output: number } | undefined {
  const given = options[name]
  if (given === undefined) return undefined
  const [input, output, ...more] = String(given)
    .split('/')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  if (input === undefined || output === undefined || more.length > 0 || !(input >= 0 && output >= 0))
    throw new CommandError(`--${name} must be two prices in USD per million tokens, such as 0.25/2.`)
  return { input, output }
}
