#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { COMMANDS, checkOptions, OPTIONS, usageText } from './cli/commands.js'
import { readConfig } from './cli/config.js'
import { Tollgate } from './client.js'
import { TollgateError } from './error.js'

/** Ends the process with a message and without a stack. */
function stop(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ args: process.argv.slice(2), options: OPTIONS, allowPositionals: true })
  const [name = '', ...words] = positionals
  const command = COMMANDS[name]
  if (!command || values.help) {
    process.stdout.write(usageText(command))
    if (!command && name !== '') stop(`There is no command "${name}".`)
    return
  }
  checkOptions(name, command, values)
  const { key, baseUrl } = readConfig({ key: values.key, baseUrl: values.url })
  if (key === undefined && name !== 'login') stop('Log in first: tollgate login, or set TOLLGATE_KEY.')
  const tollgate = new Tollgate({ key: key ?? '', baseUrl })
  await command.run({ tollgate, words, values, baseUrl })
}

main().catch((error) => {
  if (error instanceof TollgateError)
    stop(`${error.reason}: ${error.message}${error.requestId ? ` (${error.requestId})` : ''}`)
  stop(error instanceof Error ? error.message : String(error))
})
