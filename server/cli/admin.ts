// The operator's CLI: npm run admin -- <command>. With --json, one JSON object on stdout and
// nothing else.

import { parseArgs } from 'node:util'
import { closeQueue } from '../agent/queue/connection'
import { closeDb, isDatabaseUnavailable } from '../db'
import { checkEnv } from '../env'
import { AppError } from '../errors'
import { toolSettings } from '../tools/settings'
import { adminUsage, findAdminCommand } from './admin/commands'
import { asksForHelp } from './admin/database-of'
import { CommandError, type CommandResult } from './admin/options'
import { asRunHere, CliError } from './kit/project'
import { refuseNewerDatabase } from './migrations/refuse-newer'

const args = process.argv.slice(2)
const json = args.includes('--json')

/** Writes everything before the process ends: a pipe takes more than one turn. */
const print = (text: string, to: NodeJS.WriteStream = process.stdout) =>
  new Promise<void>((resolve) => to.write(`${asRunHere(text)}\n`, () => resolve()))

async function run(): Promise<CommandResult> {
  const words = args.filter((word) => !word.startsWith('-'))
  if (asksForHelp(args)) return usageOf(words.filter((word) => word !== 'help'))
  const command = await findAdminCommand(args)
  if (!command) {
    const unknown = words.length > 0 ? `There is no command "${words.slice(0, 2).join(' ')}".\n` : ''
    throw new CommandError(unknown + (await adminUsage(words[0])))
  }
  if (!command.needsNothing) checkEnv(toolSettings)
  if (command.takesAnything) return command.run({})
  const options = { ...command.options, json: { type: 'boolean' as const } }
  const given = args.slice(command.name.split(' ').length)
  const { argument } = command
  const { values, positionals } = parseArgs({ args: given, options, strict: true, allowPositionals: Boolean(argument) })
  if (!command.needsNothing) await refuseNewerDatabase()
  return command.run({ ...values, ...(argument && { [argument]: positionals[0] }) })
}

/** The usage of the commands that begin with these words; of all where none does. */
async function usageOf(words: readonly string[]): Promise<CommandResult> {
  const usage = await adminUsage(words.slice(0, 2).join(' '))
  return { data: { usage }, text: usage }
}

/** An error as one line for the operator. */
function lineOf(error: unknown): string {
  if (error instanceof CommandError || error instanceof CliError) return error.message
  if (error instanceof AppError) return [error.message, ...issuesOf(error.detail)].join('\n')
  if (isDatabaseUnavailable(error)) return 'Cannot reach the database.'
  const { code, message } = error as { code?: string; message: string }
  return code?.startsWith('ERR_PARSE_ARGS') ? (message.split('. ')[0] ?? message) : `Failed: ${message}`
}

const issuesOf = ({ issues }: Record<string, unknown>) =>
  Array.isArray(issues) && issues.length > 1 ? issues.map((i) => `  ${i.path}: ${i.message}`) : []

try {
  const { data, text, failed } = await run()
  await print(json ? JSON.stringify(data) : text)
  process.exitCode = failed ? 1 : 0
} catch (error) {
  const line = lineOf(error)
  if (json) await print(JSON.stringify({ error: line }))
  else await print(line, process.stderr)
  process.exitCode = 1
} finally {
  await closeQueue().catch(() => {})
  await closeDb().catch(() => {})
}
