import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { CliError } from '../kit/project'
import { writePrivateFile } from '../kit/settings'

/** A value as `.env` has it: in quotes where it holds more than plain characters. */
function quoted(name: string, value: string): string {
  if (/^[\w:/?&=.,@%+~*-]*$/.test(value)) return value
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark))
  if (!quote || /[\r\n]/.test(value)) throw new CliError(`${name} cannot be written to .env: it mixes all quotes.`)
  return `${quote}${value}${quote}`
}

/**
 * Writes variables to an env file that only its owner reads: those it has already are replaced in
 * place, every other line stays.
 */
export function writeEnvFile(file: string, settings: Readonly<Record<string, string>>): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const open = new Map(Object.entries(settings))
  const lines = before.split('\n').flatMap((line) => {
    const name = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1]
    if (name === undefined || !(name in settings)) return [line]
    const value = open.get(name)
    open.delete(name)
    return value === undefined ? [] : [`${name}=${quoted(name, value)}`]
  })
  while (lines.at(-1) === '') lines.pop()
  const text = `${[...lines, ...[...open].map(([name, value]) => `${name}=${quoted(name, value)}`)].join('\n')}\n`
  const read = parseEnv(text)
  const wrong = Object.keys(settings).find((name) => read[name] !== settings[name])
  if (wrong) throw new CliError(`${wrong} cannot be written to .env.`)
  writePrivateFile(file, text)
}
