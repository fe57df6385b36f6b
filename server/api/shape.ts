/** A parameter or a field of a body. `type` is a TypeScript expression. */
export type ReferenceField = { name: string; type: string; required: boolean; description: string }

export type ReferenceParameter = ReferenceField & { in: 'path' | 'query' | 'header' }

/**
 * A type with a name that an operation mentions, as it is declared. `isWide`: one of so many types
 * that each has a page of its own, among the tools.
 */
export type ReferenceType = { name: string; code: string; isWide?: boolean }

export type ReferenceOperation = {
  /** The operation's id, which is its name in URLs. */
  id: string
  method: string
  /** Below the host, parameters in braces: `/api/v1/agent/{jobId}`. */
  path: string
  /** The heading it is listed under. */
  tag: string
  summary: string
  description: string
  needsKey: boolean
  /** What a call costs, in a sentence. */
  cost: string
  parameters: ReferenceParameter[]
  /** Null: it takes none. `fields` is empty where the body has another form. */
  body: { fields: ReferenceField[]; description: string; example: unknown } | null
  /** `type` of the JSON that a success returns; null: none, or not JSON. */
  successes: { status: string; description: string; type: string | null }[]
  errors: { status: string; description: string }[]
  types: ReferenceType[]
}
