import type { GuideFacts } from './shape'

const FIELDS = ['title', 'summary', 'group', 'order'] as const

/**
 * Splits a guide's file: `key: value` lines between two lines of three dashes, then Markdown.
 * Throws an Error that names the slug where a field is missing, empty or unknown.
 */
export function readFrontMatter(slug: string, file: string): GuideFacts & { body: string } {
  const [, head, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(file.replaceAll('\r\n', '\n')) ?? []
  if (head === undefined || body === undefined) throw new Error(`The guide "${slug}" does not begin with front matter.`)
  const pairs = head.split('\n').map((line): [string, string] => {
    const at = line.indexOf(':')
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
  })
  const fields = new Map(pairs)
  const unknown = pairs.find(([name]) => !FIELDS.some((field) => field === name))
  if (unknown) throw new Error(`The front matter of the guide "${slug}" has an unknown field "${unknown[0]}".`)
  const [title = '', summary = '', group = '', order = ''] = FIELDS.map((name) => fields.get(name))
  if (!(title && summary && group)) throw new Error(`The guide "${slug}" needs a title, a summary and a group.`)
  if (!/^\d+$/.test(order)) throw new Error(`The guide "${slug}" needs an order, a number.`)
  return { slug, title, summary, group, order: Number(order), body: body.trim() }
}
