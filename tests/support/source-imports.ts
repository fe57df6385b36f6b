import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'

export const SOURCE_ROOT = path.resolve(import.meta.dirname, '../..')

export type SourceImport = {
  /** The text in the quotes. */
  from: string
  /** The imported file's path from the root without its extension; null for a package. */
  file: string | null
  isType: boolean
  isReExport: boolean
}

export type SourceFile = {
  file: string
  imports: SourceImport[]
  /** Names defined and exported here. A value and a type may share one. */
  exports: string[]
  readsProcessEnv: boolean
}

type Node = { type: string; start: number; end: number; [field: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Every node of a syntax tree. */
function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* walk(item)
  if (!isNode(value)) return
  yield value
  for (const child of Object.values(value)) if (typeof child === 'object') yield* walk(child)
}

/** Every TypeScript file below some folders, as paths from the root. */
export const filesBelow = (...folders: string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(path.join(SOURCE_ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/'))),
  )

export const isTestFile = (file: string): boolean => /\.test\.tsx?$/.test(file)

/** The file an import leads to, from the root and without extension; null for a package. */
function resolve(file: string, from: string): string | null {
  const target = from.startsWith('@/')
    ? from.slice(2)
    : from.startsWith('.')
      ? path.posix.join(path.posix.dirname(file), from)
      : null
  return target?.replace(/\.(ts|tsx|mjs|js)$/, '') ?? null
}

/**
 * True for text that may hold what only the syntax tree shows: an import expression or type, or
 * `process.env`.
 */
const needsTree = (text: string) => /\bimport\s*\(|\bprocess\b/.test(text)

/**
 * What one file imports, in whichever form, what it exports, and whether it reads the environment.
 */
export function readSourceFile(file: string, text = readFileSync(path.join(SOURCE_ROOT, file), 'utf8')): SourceFile {
  const { program, module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: Omit<SourceImport, 'file'>[] = []
  const exports = new Set<string>()
  for (const { moduleRequest, entries } of module.staticImports) {
    const isType = entries.length > 0 && entries.every((e) => e.isType)
    found.push({ from: moduleRequest.value, isType, isReExport: false })
  }
  for (const { moduleRequest, exportName, isType } of module.staticExports.flatMap(({ entries }) => entries)) {
    if (moduleRequest) found.push({ from: moduleRequest.value, isType, isReExport: true })
    else if (exportName.name !== null) exports.add(exportName.name)
  }
  let readsProcessEnv = found.some(({ from }) => /^(node:)?process$/.test(from))
  for (const node of needsTree(text) ? walk(program) : []) {
    const inner = (node.source ?? node.argument) as Node | undefined
    if (node.type === 'ImportExpression' || node.type === 'TSImportType') {
      const literal = inner?.type === 'TSLiteralType' ? (inner.literal as Node) : inner
      found.push({ from: String(literal?.value), isType: node.type === 'TSImportType', isReExport: false })
    }
    if (node.type === 'MemberExpression') {
      const [object, property] = [node.object as Node, node.property as Node]
      if (object.name === 'process' && (property.name === 'env' || property.value === 'env')) readsProcessEnv = true
    }
  }
  return {
    file,
    exports: [...exports],
    imports: found.map((i) => ({ ...i, file: resolve(file, i.from) })),
    readsProcessEnv,
  }
}
