// The worker thread that evaluates callers' schemas: their regular expressions and references may
// take any time.
import { type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema'
import { serveParser } from '../../kit/threads/serve-parser'
import { valuesInText } from './read-json'
import type { SchemaReply, SchemaTask } from './schema-tasks'

const MAX_ERRORS = 12

/** Keywords whose errors only repeat that something inside is wrong. */
const OUTER: ReadonlySet<string> = new Set([
  'properties',
  'items',
  'prefixItems',
  '$ref',
  'allOf',
  'additionalProperties',
])

/** The draft that a schema names; the newest where it names none. */
function draftOf({ $schema }: Schema): SchemaDraft {
  if ($schema?.includes('draft-04')) return '4'
  if ($schema?.includes('draft-07') || $schema?.includes('draft-06')) return '7'
  return $schema?.includes('2019-09') ? '2019-09' : '2020-12'
}

function answer(task: SchemaTask): SchemaReply {
  const validator = new Validator(task.schema, draftOf(task.schema), false)
  if (task.kind === 'try') {
    for (const sample of [null, {}, [], '', 0]) validator.validate(sample)
    return { kind: 'valid', value: null }
  }
  const values = valuesInText(task.text)
  if (values.length === 0) return { kind: 'invalid', errors: ['The answer is not JSON.'] }
  const checked = values.map((value) => ({ value, ...validator.validate(value) }))
  const valid = checked.find((one) => one.valid)
  if (valid) return { kind: 'valid', value: valid.value }
  const errors = checked[0]?.errors ?? []
  const inner = errors.filter(({ keyword }) => !OUTER.has(keyword))
  const lines = (inner.length > 0 ? inner : errors).map(
    ({ instanceLocation, error }) => `${instanceLocation}: ${error}`,
  )
  return { kind: 'invalid', errors: lines.slice(0, MAX_ERRORS).map((line) => line.slice(0, 300)) }
}

serveParser(answer)
