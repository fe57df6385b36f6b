import { type FunctionType, readDeclarations, type Type } from './types'

/** A tool as the document describes it. `credits` null: metered. */
export type DocumentedTool = FunctionType & {
  credits: number | null
  example: Record<string, unknown>
  hasMcp: boolean
}

export type ApiDocument = {
  basePath: string
  types: ReadonlyMap<string, Type>
  tools: readonly DocumentedTool[]
  /** Ids of models in the table of a heading. */
  modelsOf: (heading: string) => string[]
}

/** What a program can know of the API from `/catalog?format=md` alone. Throws where it cannot. */
export function readApiDocument(markdown: string): ApiDocument {
  const types = new Map<string, Type>()
  const functions = new Map<string, FunctionType>()
  for (const [, code = ''] of markdown.matchAll(/```ts\n([\s\S]*?)\n```/g)) {
    const found = readDeclarations(code)
    for (const [name, type] of found.types) types.set(name, type)
    for (const each of found.functions) functions.set(each.name, each)
  }
  const sections = markdown.split(/^(?=#{2,3} )/m)
  const tools = sections.flatMap((section) => {
    const [, id = ''] = /^### (\w+)\n/.exec(section) ?? []
    const declared = functions.get(id)
    return declared ? [toolOf(declared, section)] : []
  })
  const [, url = ''] = /Base URL: `([^`]+)`/.exec(markdown) ?? []
  return {
    basePath: new URL(url).pathname,
    types,
    tools,
    modelsOf: (heading) => {
      const section = sections.find((each) => each.startsWith(`### ${heading}\n`)) ?? ''
      return [...section.matchAll(/^\| `([^`]+)` \|/gm)].flatMap(([, id]) => id ?? [])
    },
  }
}

function toolOf(declared: FunctionType, section: string): DocumentedTool {
  const [, price, mcp] = /, (?:(\d+) credits?|metered)(, not over MCP)?\. /.exec(section) ?? []
  const [, example = '{}'] = /^Example: `(.*)`$/m.exec(section) ?? []
  return {
    ...declared,
    credits: price === undefined ? null : Number(price),
    example: JSON.parse(example),
    hasMcp: mcp === undefined,
  }
}
