import type { CallChannel } from '@/server/credits/shape'

/** What a recipe is written for: this service, a key and models that it may use. */
export type ConnectTarget = {
  baseUrl: string
  /** Null: the recipe reads it from TOLLGATE_KEY. */
  secret: string | null
  /** A chat model, or an embedding model where the recipe needs one. */
  model: string
  /** For short tasks beside `model`. */
  smallModel: string
}

/** One thing to paste. */
export type Recipe = {
  id: string
  label: string
  needs: 'chat' | 'embedding' | 'tools'
  channel: CallChannel
  /** Where it goes, and what to do there. */
  where: string
  code: (target: ConnectTarget) => string
}

/** A program or package that people use with Tollgate. `docs`: its own page about such settings. */
export type ConnectClient = {
  id: string
  label: string
  group: 'Coding agents' | 'Libraries' | 'MCP clients' | 'HTTP'
  docs: string | null
  recipes: readonly [Recipe, ...Recipe[]]
}

/** A value as JSON of two spaces. */
export const asJson = (value: unknown): string => JSON.stringify(value, null, 2)

/** The key as a program of JavaScript names it. */
export const keyInTypescript = (secret: string | null): string =>
  secret === null ? 'process.env.TOLLGATE_KEY' : `'${secret}'`

/** The key as a program of Python names it; `import os` belongs to it where there is no secret. */
export const keyInPython = (secret: string | null): string =>
  secret === null ? 'os.environ["TOLLGATE_KEY"]' : `"${secret}"`

export const pythonImports = (secret: string | null, line: string): string =>
  secret === null ? `import os\n${line}` : line
