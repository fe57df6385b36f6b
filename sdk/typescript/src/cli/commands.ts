import { text } from 'node:stream/consumers'
import type { ParseArgsConfig } from 'node:util'
import { type CallOptions, Tollgate, type ToolId } from '../client.js'
import type { Tools } from '../tools.js'
import { writeConfig } from './config.js'
import { listen } from './listen.js'
import { countOf, watchRun } from './watch.js'

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
  'print-secret': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options']

type OptionName = keyof typeof OPTIONS
type Values = { [Name in OptionName]?: (typeof OPTIONS)[Name]['type'] extends 'boolean' ? boolean : string }
export type Invoked = { tollgate: Tollgate; words: string[]; values: Values; baseUrl: string }
type Command = {
  usage: string
  about: string
  /** What each of its options does, besides those that every command has. */
  options: { [Name in OptionName]?: string }
  /** What else its help says. */
  notes?: readonly string[]
  run: (invoked: Invoked) => Promise<void>
}

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
  process.stderr.write(`\n${countOf(charged, 'credit')}, ${model}\n`)
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
  login: {
    usage: 'login [KEY] [--url URL]',
    about: 'keeps a key, from an argument or standard input',
    options: {},
    notes: ['The key is kept in tollgate/config.json of $XDG_CONFIG_HOME or ~/.config, for this user alone.'],
    run: login,
  },
  call: {
    usage: 'call TOOL [name=value …] [--params JSON] [--async]',
    about: 'calls a tool',
    options: {
      params: 'parameters as a JSON object; those that are written name=value go before it',
      async: 'calls in the background, and waits for the task',
      'idempotency-key': 'a repeat with the same key is not charged again',
    },
    notes: ['A value is JSON where it can be: limit=5, coinIds=["bitcoin"]. Anything else is a text.'],
    run: call,
  },
  chat: {
    usage: 'chat TEXT [--model ID]',
    about: 'asks a model, and writes as it answers',
    options: { model: 'the model; the first that the key may use, where it is left out' },
    run: chat,
  },
  run: {
    usage: 'run GOAL [--watch] [--interactive] [--model ID]',
    about: 'starts an agent run',
    options: {
      watch: 'follows the run to its end, and prints its result; without it, its id',
      interactive: 'the same, and the run may ask: each line of standard input answers a question',
      model: "the model; the account's default, where it is left out",
    },
    run: watchRun,
  },
  usage: {
    usage: 'usage [--limit N]',
    about: 'lists what was charged, newest first',
    options: { limit: 'how many; 20, where it is left out' },
    run: usage,
  },
  listen: {
    usage: 'listen --forward-to URL | --print-secret',
    about: 'forwards the ends of runs and tasks to a receiver on this machine, signed as webhooks are',
    options: {
      'forward-to': 'the receiver, such as http://localhost:8080/hook',
      'print-secret': 'prints the secret that webhooks are signed with, and nothing else',
    },
    notes: [
      'Events: agent.completed, agent.failed, agent.awaiting_input, task.completed, task.failed.',
      'Notices are not forwarded, because no operation lists them for a key: Settings has a URL of theirs.',
    ],
    run: listen,
  },
}

const GENERAL = { key: 'the API key, instead of TOLLGATE_KEY or what login kept', url: 'where the service answers' }

const linesOf = (options: { [Name in OptionName]?: string }): string[] =>
  Object.entries(options).map(([name, about]) => `  ${`--${name}`.padEnd(18)} ${about}`)

/** The help of a command, or of all. */
export function usageText(command?: Command): string {
  const lines = command
    ? [`Usage: tollgate ${command.usage}`, '', command.about, '', ...linesOf({ ...command.options, ...GENERAL })]
    : [
        'Usage: tollgate COMMAND, with --key KEY and --url URL or TOLLGATE_KEY and TOLLGATE_URL',
        '',
        ...Object.values(COMMANDS).map((each) => `  ${each.usage}\n      ${each.about}`),
        '',
        'tollgate COMMAND --help shows more of it.',
      ]
  const notes = command?.notes ? ['', ...command.notes] : []
  return [...lines, ...notes, ''].join('\n')
}

/** Throws for an option that is another command's. */
export function checkOptions(name: string, command: Command, values: Values): void {
  const known = ['help', ...Object.keys(GENERAL), ...Object.keys(command.options)]
  const unknown = Object.keys(values).find((option) => !known.includes(option))
  if (unknown)
    throw new Error(`tollgate ${name} has no option --${unknown}. tollgate ${name} --help shows those it has.`)
}
