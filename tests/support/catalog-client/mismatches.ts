import { isRecord } from '../../../server/kit/record'
import type { Type, TypeField } from './types'

type Named = ReadonlyMap<string, Type>

const PRIMITIVES: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  unknown: () => true,
  Time: (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value)),
}

/** The fields of an object, or of several that are joined; null for other types. */
function fieldsOf(type: Type, named: Named): TypeField[] | null {
  if (type.kind === 'object') return type.fields
  if (type.kind === 'name') {
    const meant = named.get(type.name)
    return meant && !PRIMITIVES[type.name] ? fieldsOf(meant, named) : null
  }
  if (type.kind !== 'both') return null
  const all = type.of.map((part) => fieldsOf(part, named))
  return all.every((fields) => fields !== null) ? all.flat() : null
}

/**
 * Where a value is not of a type: a line for each place. A field that the type does not have is one
 * too.
 */
export function mismatches(value: unknown, type: Type, named: Named, path = ''): string[] {
  const fields = fieldsOf(type, named)
  if (fields) return ofObject(value, fields, named, path)
  const wrong = (what: string) => [`${path || 'value'} is ${JSON.stringify(value)?.slice(0, 80)}, not ${what}`]
  switch (type.kind) {
    case 'name': {
      const isOf = PRIMITIVES[type.name]
      const meant = named.get(type.name)
      if (isOf) return isOf(value) ? [] : wrong(type.name)
      return meant ? mismatches(value, meant, named, path) : [`${path}: there is no type ${type.name}`]
    }
    case 'literal':
      return value === type.value ? [] : wrong(JSON.stringify(type.value))
    case 'array':
      if (!Array.isArray(value)) return wrong('a list')
      return value.flatMap((item, index) => mismatches(item, type.item, named, `${path}[${index}]`))
    case 'record':
      if (!isRecord(value)) return wrong('an object')
      return Object.entries(value).flatMap(([key, item]) => mismatches(item, type.value, named, `${path}.${key}`))
    case 'union': {
      const attempts = type.of.map((part) => mismatches(value, part, named, path))
      return attempts.reduce((best, each) => (each.length < best.length ? each : best))
    }
    case 'both':
      return type.of.flatMap((part) => mismatches(value, part, named, path))
    case 'object':
      return []
    default:
      return type satisfies never
  }
}

function ofObject(value: unknown, fields: TypeField[], named: Named, path: string): string[] {
  if (!isRecord(value)) return [`${path || 'value'} is not an object`]
  const known = new Set(fields.map(({ name }) => name))
  return [
    ...Object.keys(value).flatMap((name) => (known.has(name) ? [] : [`${path}.${name} is not in the type`])),
    ...fields.flatMap(({ name, isOptional, type }) => {
      if (!Object.hasOwn(value, name)) return isOptional ? [] : [`${path}.${name} is missing`]
      return mismatches(value[name], type, named, `${path}.${name}`)
    }),
  ]
}
