import { createInterface } from 'node:readline/promises'
import { readSecretLine } from '../admin/secret'
import { CliError } from '../kit/project'

const canAsk = (): boolean => process.stdin.isTTY === true

/** How a question is put on a terminal, and which option answers it without one. */
export type Question = { text: string; option: string; fallback?: string; isSecret?: boolean }

/**
 * The answer to a question: what the option says, else what a person types, else the fallback.
 * Throws a CliError that names the option where nobody can be asked.
 */
export async function ask(given: string | undefined, { text, option, fallback, isSecret }: Question): Promise<string> {
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
