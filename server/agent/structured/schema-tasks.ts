import type { OutputSchema } from './check-schema'

/**
 * What the schema thread is asked: whether a schema can be evaluated, or a text's value conforms.
 */
export type SchemaTask = { kind: 'try'; schema: OutputSchema } | { kind: 'read'; schema: OutputSchema; text: string }

/** The value in a text where it conforms; else what is wrong, in words. */
export type SchemaReply = { kind: 'valid'; value: unknown } | { kind: 'invalid'; errors: string[] }
