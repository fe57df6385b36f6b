import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../server/kit/json-schema'
import { isRecord } from '../../server/kit/record'
import { outputJsonSchema } from '../../server/tools/params'
import { toolGroups } from '../../server/tools/registry'

/** Names that another tool has for the same thing: server/tools/README.md, "Names in results". */
const INSTEAD: Record<string, string> = {
  authorName: 'author',
  authorUsername: 'author',
  byline: 'author',
  displayName: 'name',
  image: 'logo, thumbnail or images',
  lang: 'language',
  lastUpdatedAt: 'updatedAt',
  likes: 'likeCount',
  modifiedAt: 'updatedAt',
  permalink: 'url',
  postedAt: 'publishedAt',
  profileImageUrl: 'avatar',
  profileUrl: 'url',
  publishedTime: 'publishedAt',
  reviews: 'reviewCount',
  total: 'a name that ends in Count',
  views: 'viewCount',
}

/** Booleans without is or has. */
const BOOLEANS = new Set(['divisible', 'truncated', 'paysPlatformUsage'])

type Field = { path: string; name: string; parent: string | null; schema: JsonSchema }

const asRecord = (schema: unknown): JsonSchema => (isRecord(schema) ? schema : {})

/** Every field of a result with its path; the items of a list count as part of it. */
function fieldsOf(schema: JsonSchema, path: string, parent: string | null): Field[] {
  const inner = [...(schema.anyOf ?? []), ...[schema.items].flat()].filter((each) => each !== undefined)
  return [
    ...inner.flatMap((each) => fieldsOf(asRecord(each), path, parent)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
      const at = `${path}.${name}`
      const isList = asRecord(value).items !== undefined
      return [
        { path: at, name, parent, schema: asRecord(value) },
        ...fieldsOf(asRecord(value), at, isList ? null : name),
      ]
    }),
  ]
}

const tools = toolGroups.flatMap((group) => group.tools)
const fields = tools.flatMap((tool) => fieldsOf(outputJsonSchema(tool), tool.id, null))

const branches = (schema: JsonSchema): JsonSchema[] => (schema.anyOf ? schema.anyOf.map(asRecord) : [schema])
const isOf = (schema: JsonSchema, test: (branch: JsonSchema) => boolean) => branches(schema).some(test)

/** Number or text, list or object: null, and how exact a number is, do not count. */
const kindOf = (schema: JsonSchema): string =>
  [
    ...new Set(
      branches(schema)
        .flatMap((branch) => branch.type ?? [])
        .filter((type) => type !== 'null')
        .map((type) => (type === 'integer' ? 'number' : type)),
    ),
  ]
    .sort()
    .join(' | ')

describe('the names in results', () => {
  test('are the same for the same thing', () => {
    expect(fields.filter(({ name }) => INSTEAD[name]).map(({ path, name }) => `${path}: ${INSTEAD[name]}`)).toEqual([])
  })

  test('of ids are those of their thing, unless the object around them has its name', () => {
    expect(fields.filter(({ name, parent }) => name === 'id' && parent === null).map(({ path }) => path)).toEqual([])
  })

  test('of times end in At', () => {
    const times = fields.filter(({ schema }) => isOf(schema, ({ format }) => format === 'date-time'))
    expect(times.filter(({ name }) => !name.endsWith('At')).map(({ path }) => path)).toEqual([])
  })

  test('of booleans begin with is or has', () => {
    const booleans = fields.filter(({ schema }) => isOf(schema, ({ type }) => [type].flat().includes('boolean')))
    const others = booleans.filter(({ name }) => !/^(is|has)[A-Z0-9]/.test(name) && !BOOLEANS.has(name))
    expect(others.map(({ path }) => path)).toEqual([])
  })

  test('mean one type each', () => {
    const byName = Map.groupBy(fields, ({ name }) => name)
    const mixed = [...byName].filter(
      ([, same]) => new Set(same.map(({ schema }) => kindOf(schema)).filter(Boolean)).size > 1,
    )
    expect(mixed.map(([, same]) => same.map(({ path, schema }) => `${path}: ${kindOf(schema)}`))).toEqual([])
  })
})
