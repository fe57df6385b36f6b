import { text } from 'node:stream/consumers'
import type { ParseArgsConfig } from 'node:util'
import { type CallOptions, Tollgate, type ToolId } from '../client.js'
import type { Tools } from '../tools.js'
import { writeConfig } from './config.js'
import { listen } from './listen.js'
import { watchRun } from './watch.js'

export const OPTIONS = {
  key: { type: 'string' },
  url: { type: 'string' },
  params: { type: 'string' },
  async: { type: 'boolean' },
  'idempotency-key': { type: 'string' },
  model: { type: 'string' },
  watch: { type: 'boolean' },
  interactive: { type: 'boolean' },
  limit: { type: 'string' },
  'forward-to': { type: 'string' },
  help: { type: 'boolean' },
} as const satisfies ParseArgsConfig['options']

type Values = { [Name in keyof typeof OPTIONS]?: (typeof OPTIONS)[Name]['type'] extends 'boolean' ? boolean : string }
export type Invoked = { tollgate: Tollgate; words: string[]; values: Values; baseUrl: string }
type Command = { usage: string; about: string; run: (invoked: Invoked) => Promise<void> }

const print = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

const needed = (value: string | undefined, what: string): string => {
  if (value === undefined || value === '') throw new Error(`Give ${what}. tollgate --help shows how.`)
  return value
}

/** `limit=5` as a number, `coinIds=["bitcoin"]` as a list, anything that is not JSON as text. */
function paramOf(word: string): [string, unknown] {
  const at = word.indexOf('=')
  if (at < 1) throw new Error(`"${word}" is not a parameter: write name=value.`)
  const value = word.slice(at + 1)
  try {
    return [word.slice(0, at), JSON.parse(value)]
  } catch {
    return [word.slice(0, at), value]
  }
}

async function login({ values, words, baseUrl }: Invoked): Promise<void> {
  const key = values.key ?? words[0] ?? (await text(process.stdin)).trim()
  const status = await new Tollgate({ key: needed(key, 'a key, also on standard input'), baseUrl }).key()
  const kept = writeConfig({ key, baseUrl })
  process.stdout.write(`Logged in with "${status.name}" at ${baseUrl}, kept in ${kept}.\n`)
}

async function call({ tollgate, words: [id, ...words], values }: Invoked): Promise<void> {
  const tool = needed(id, 'a tool, such as web_search') as ToolId
  const given = values.params === undefined ? {} : JSON.parse(values.params)
  const params = { ...given, ...Object.fromEntries(words.map(paramOf)) } as Tools[ToolId]['params']
  const options: CallOptions = { idempotencyKey: values['idempotency-key'] }
  if (!values.async) return print(await tollgate.query(tool, params, options))
  const { taskId } = await tollgate.startTask(tool, params, options)
  process.stderr.write(`Task ${taskId} runs in the background.\n`)
  print(await tollgate.waitForTask(taskId))
}

async function chat({ tollgate, words, values }: Invoked): Promise<void> {
  const content = needed(words.join(' '), 'a text')
  const { options } = tollgate
  const model = values.model ?? (await firstModel(options))
  let charged = 0
  for await (const { choices, service } of tollgate.chatStream({ model, messages: [{ role: 'user', content }] })) {
    process.stdout.write(choices[0]?.delta.content ?? '')
    charged = service?.credits_charged ?? charged
  }
  process.stderr.write(`\n${charged} credits, ${model}\n`)
}

async function firstModel({ baseUrl, headers }: Tollgate['options']): Promise<string> {
  const response = await fetch(`${baseUrl}/models`, { headers })
  const { data = [] } = (await response.json()) as { data?: { id: string }[] }
  return needed(data[0]?.id, 'a model with --model: this key has none')
}

async function usage({ tollgate, values }: Invoked): Promise<void> {
  let left = Number(values.limit ?? 20)
  for await (const { at, what, status, credits, requestId } of tollgate.receipts()) {
    if (left-- <= 0) return
    process.stdout.write(`${at}  ${String(credits.charged).padStart(7)}  ${status.padEnd(7)}  ${what}  ${requestId}\n`)
  }
}

export const COMMANDS: Record<string, Command> = {
  login: { usage: 'login [KEY] [--url URL]', about: 'keeps a key, from an argument or standard input', run: login },
  call: { usage: 'call TOOL [name=value …] [--params JSON] [--async]', about: 'calls a tool', run: call },
  chat: { usage: 'chat TEXT [--model ID]', about: 'asks a model, and writes as it answers', run: chat },
  run: { usage: 'run GOAL [--watch] [--interactive]', about: 'starts an agent run', run: watchRun },
  usage: { usage: 'usage [--limit N]', about: 'lists what was charged, newest first', run: usage },
  listen: {
    usage: 'listen --forward-to URL',
    about: 'forwards the ends of runs to a receiver on this machine, signed as webhooks are',
    run: listen,
  },
}

export const usageText = (): string =>
  [
    'Usage: tollgate COMMAND, with --key KEY and --url URL or TOLLGATE_KEY and TOLLGATE_URL',
    '',
    ...Object.values(COMMANDS).map((each) => `  ${each.usage}\n      ${each.about}`),
    '',
  ].join('\n')
