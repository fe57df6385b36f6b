import type { z } from 'zod'
import { VARIABLE_SECTIONS } from '../../env/variables'
import { toolGroups } from '../../tools/registry'

const COLUMNS = 100

const HEADER = [
  'Every setting, with its default where it has one. Copy what you change to .env; an environment variable overrides it.',
  'npm run quickstart needs none of them.',
]

/** `.env.example`: the variables of the server, then those of each tool group. */
export function envExample(): string {
  const groups = toolGroups.flatMap(({ settings }) => settings?.schema ?? [])
  const sections = [...VARIABLE_SECTIONS, ...groups].map((schema) =>
    Object.entries(schema.shape).map(([name, variable]) => describeVariable(name, variable as z.ZodType)),
  )
  return `${[HEADER.map(comment).join('\n'), ...sections.map((lines) => lines.join('\n'))].join('\n\n')}\n`
}

function describeVariable(name: string, variable: z.ZodType): string {
  const { description, example } = variable.meta() ?? {}
  if (!description) throw new Error(`${name} has no description`)
  return `${comment(description)}\n#${name}=${example ?? defaultOf(variable) ?? ''}`
}

/** The default of a variable; undefined where it has none, or an empty list. */
function defaultOf(variable: z.ZodType): unknown {
  const { data, success } = variable.safeParse(undefined)
  return success && !Array.isArray(data) ? data : undefined
}

/** A comment, wrapped between words. */
function comment(text: string): string {
  const lines = ['#']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last.length + 1 + word.length > COLUMNS) lines.push(`# ${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}
