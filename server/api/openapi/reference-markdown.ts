import { AppError } from '../../errors'
import type { ReferenceField, ReferenceOperation } from '../shape'
import { readReference } from './reference'

const lineOf = ({ name, type, required, description }: ReferenceField) =>
  `- \`${name}\` (\`${type.replaceAll(/\s+/g, ' ')}\`${required ? ', required' : ''})${description && `: ${description}`}`

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')]

const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``

function markdownOf(operation: ReferenceOperation): string {
  const { method, path, summary, description, needsKey, cost, parameters, body, successes, errors, types } = operation
  const statuses = [
    ...successes.map(({ status, type }) => `- ${status}${type ? `: \`${type}\`` : ''}`),
    ...errors.map((error) => `- ${error.status}: ${error.description}`),
  ]
  return `${[
    `# ${method} ${path}`,
    [`${summary}.`, description, cost, needsKey ? 'Needs a key.' : 'Needs no key.'].filter(Boolean).join(' '),
    ...section('Parameters', parameters.map(lineOf)),
    ...(body ? ['## Body', ...(body.description ? [body.description] : [])] : []),
    ...(body && body.fields.length > 0 ? [body.fields.map(lineOf).join('\n')] : []),
    ...(body ? [fence('json', JSON.stringify(body.example, null, 2))] : []),
    ...section('Responses', statuses),
    ...(types.length > 0 ? ['## Types', fence('ts', types.map(({ code }) => code).join('\n\n'))] : []),
    ...(types.some(({ isWide }) => isWide) ? ['The result of each tool is on its page: /docs/tools.'] : []),
  ].join('\n\n')}\n`
}

/** An operation's page as Markdown. Throws `not_found`. */
export async function operationMarkdown(id: string): Promise<string> {
  const operation = (await readReference()).find((each) => each.id === id)
  if (!operation) throw new AppError('not_found', `There is no operation "${id}".`)
  return markdownOf(operation)
}
