import type { ParseArgsOptionsConfig } from 'node:util'
import { prisma } from '../../db'

export type Options = Record<string, string | boolean | (string | boolean)[] | undefined>

/** What a command answers: `data` for --json, `text` for people; `failed` makes the exit code 1. */
export type Answer = { data: object; text: string; failed?: boolean }

export type Command = {
  /** One or two words. */
  name: string
  /** Its options as usage prints them. */
  usage: string
  options: ParseArgsOptionsConfig
  run: (options: Options) => Promise<Answer>
}

/** The operator asked for something that cannot be: one line says what. */
export class Refused extends Error {}

/** An option's text. Throws when it must be there and is not. */
export function textOf(options: Options, name: string): string {
  const value = options[name]
  if (typeof value !== 'string' || value === '') throw new Refused(`--${name} is missing.`)
  return value
}

/** An option as a whole number, or undefined when it was not given. */
export function wholeOf(options: Options, name: string): number | undefined {
  const value = options[name]
  if (value === undefined) return undefined
  const number = Number(value)
  if (value === '' || !Number.isSafeInteger(number)) throw new Refused(`--${name} must be a whole number.`)
  return number
}

/** An option's comma list, or undefined when it was not given. */
export function listOf(options: Options, name: string): string[] | undefined {
  const value = options[name]
  if (typeof value !== 'string') return undefined
  return value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
}

/** The owner an --email names. */
export async function ownerOf(options: Options): Promise<{ id: number; email: string }> {
  const email = textOf(options, 'email').trim().toLowerCase()
  const owner = await prisma().owner.findUnique({ where: { email }, select: { id: true, email: true } })
  if (!owner) throw new Refused(`There is no owner ${email}.`)
  return owner
}
