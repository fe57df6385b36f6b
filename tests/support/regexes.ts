import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { filesBelow, isTestFile, SOURCE_ROOT } from './source-imports'

export type Regex = { file: string; pattern: string; flags: string }

type Node = { type: string; [field: string]: unknown }

function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* walk(item)
  if (typeof value !== 'object' || value === null || !('type' in value)) return
  yield value as Node
  for (const child of Object.values(value)) if (typeof child === 'object') yield* walk(child)
}

/**
 * Every regular expression literal below some folders, tests left out, and the files that build
 * others at run time.
 */
export function regexesBelow(...folders: string[]): { literals: Regex[]; builders: string[] } {
  const literals: Regex[] = []
  const builders = new Set<string>()
  for (const file of filesBelow(...folders).filter((name) => !isTestFile(name))) {
    const { program } = parseSync(file, readFileSync(path.join(SOURCE_ROOT, file), 'utf8'))
    for (const node of walk(program)) {
      const regex = node.type === 'Literal' ? (node.regex as Omit<Regex, 'file'> | undefined) : undefined
      if (regex) literals.push({ file, pattern: regex.pattern, flags: regex.flags })
      const callee = node.callee as { name?: string } | undefined
      if (callee?.name === 'RegExp') builders.add(file)
    }
  }
  return { literals, builders: [...builders] }
}
