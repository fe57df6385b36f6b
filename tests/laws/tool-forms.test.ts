import { describe, expect, test } from 'vitest'
import { fieldsOf } from '../../components/catalog/fields'
import { sampleOf, whole } from '../../components/catalog/samples'
import { toParams, toValues } from '../../components/catalog/values'
import { describeParams, paramsJsonSchema } from '../../server/tools/params'
import { groups } from '../../server/tools/registry'
import { EXAMPLES } from '../support/examples'

const tools = groups.flatMap((group) => group.tools)
const BASE = 'http://127.0.0.1:1'

describe.each(tools.map((tool) => [tool.id, tool] as const))('the form of %s', (id, tool) => {
  const schema = paramsJsonSchema(tool)
  const fields = fieldsOf({ params: describeParams(tool), schema } as never)

  test('has a field for every parameter, and JSON only for objects', () => {
    expect(fields.map(({ name }) => name)).toEqual(Object.keys(tool.params.shape))
    const asJson = fields.filter(({ kind }) => kind === 'json').map(({ name, type }) => [name, type])
    expect(asJson.filter(([, type]) => type !== 'object')).toEqual([])
    expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(schema.required ?? [])
  })

  test('sends an example as it is', () => {
    const example = EXAMPLES[id]?.(BASE)
    expect(example).toBeTypeOf('object')
    expect(toParams(fields, toValues(fields, example ?? {}))).toEqual({ params: example, wrong: {} })
  })

  test.each([true, false])('begins with a sample that can be sent (sandbox: %s)', (isSandbox) => {
    const sample = sampleOf({ id }, isSandbox)
    const filled = toParams(fields, toValues(fields, sample))
    expect(filled.params).toEqual(sample)
    if (isSandbox) expect(tool.params.safeParse(filled.params).error).toBeUndefined()
    const shown = whole(sample, fields)
    expect(fields.filter(({ name, required }) => required && shown[name] === undefined)).toEqual([])
    expect(shown).toMatchObject(sample)
  })

  test('sends nothing that was not touched', () => {
    expect(toParams(fields, {}).params).toEqual({})
  })
})
