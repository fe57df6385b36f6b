import type { ParseArgsOptionsConfig } from 'node:util'
import type { z } from 'zod'
import { prisma } from '../../db'
import { invalidRequest } from '../../errors'

export type CommandOptions = Record<string, string | boolean | (string | boolean)[] | undefined>

/** What a command answers: `data` for --json, `text` for people; `failed` makes the exit code 1. */
export type CommandResult = { data: object; text: string; failed?: boolean }

export type AdminCommand = {
  /** One or two words. */
  name: string
  /** Its options as usage prints them. */
  usage: string
  options: ParseArgsOptionsConfig
  /** The name under which `run` gets the one word that is not an option. */
  argument?: string
  /** Runs without valid settings and without a database. */
  needsNothing?: boolean
  /** Reads its options itself. */
  takesAnything?: boolean
  run: (options: CommandOptions) => Promise<CommandResult>
}

/** The operator asked for something that cannot be: one line says what. */
export class CommandError extends Error {}

/** An option's text. Throws when it must be there and is not. */
export function textOption(options: CommandOptions, name: string): string {
  const value = options[name]
  if (typeof value !== 'string' || value === '') throw new CommandError(`--${name} is missing.`)
  return value
}

/** An option as a whole number, or undefined when it was not given. */
export function integerOption(options: CommandOptions, name: string): number | undefined {
  const value = options[name]
  if (value === undefined) return undefined
  const number = Number(value)
  if (value === '' || !Number.isSafeInteger(number)) throw new CommandError(`--${name} must be a whole number.`)
  return number
}

/** An option's comma list, or undefined when it was not given. */
export function listOption(options: CommandOptions, name: string): string[] | undefined {
  const value = options[name]
  if (typeof value !== 'string') return undefined
  return value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
}

/** The owner an --email names. */
export async function ownerOption(options: CommandOptions): Promise<{ id: number; email: string }> {
  const email = textOption(options, 'email').trim().toLowerCase()
  const owner = await prisma().owner.findUnique({ where: { email }, select: { id: true, email: true } })
  if (!owner) throw new CommandError(`There is no owner ${email}.`)
  return owner
}

/** Options as the shape that a dashboard's procedure takes. Throws `invalid_request`. */
export function readOptions<S extends z.ZodType>(shape: S, given: z.input<S>): z.output<S> {
  const parsed = shape.safeParse(given)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  return parsed.data
}

/** An option's text, or undefined when it was not given. */
export const optionalText = (options: CommandOptions, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
