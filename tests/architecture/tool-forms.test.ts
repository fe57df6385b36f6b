import { describe, expect, test } from 'vitest'
import { buildFormFields } from '../../components/catalog/form-fields'
import { formToParams, paramsToForm } from '../../components/catalog/form-values'
import { exampleInput, fillRequired } from '../../components/catalog/samples'
import { describeParams, paramsJsonSchema } from '../../server/tools/params'
import { toolGroups } from '../../server/tools/registry'
import { EXAMPLES } from '../support/examples'

const tools = toolGroups.flatMap((group) => group.tools)
const BASE = 'http://127.0.0.1:1'

describe.each(tools.map((tool) => [tool.id, tool] as const))('the form of %s', (id, tool) => {
  const schema = paramsJsonSchema(tool)
  const fields = buildFormFields({ params: describeParams(tool), schema } as never)

  test('has a field for every parameter, and JSON only for objects', () => {
    expect(fields.map(({ name }) => name)).toEqual(Object.keys(tool.params.shape))
    const asJson = fields.filter(({ kind }) => kind === 'json').map(({ name, type }) => [name, type])
    expect(asJson.filter(([, type]) => type !== 'object')).toEqual([])
    expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(schema.required ?? [])
  })

  test('sends an example as it is', () => {
    const example = EXAMPLES[id]?.(BASE)
    expect(example).toBeTypeOf('object')
    expect(formToParams(fields, paramsToForm(fields, example ?? {}))).toEqual({ params: example, wrong: {} })
  })

  test.each([true, false])('begins with a sample that can be sent (sandbox: %s)', (isSandbox) => {
    const sample = exampleInput({ id }, isSandbox)
    const filled = formToParams(fields, paramsToForm(fields, sample))
    expect(filled.params).toEqual(sample)
    if (isSandbox) expect(tool.params.safeParse(filled.params).error).toBeUndefined()
    const shown = fillRequired(sample, fields)
    expect(fields.filter(({ name, required }) => required && shown[name] === undefined)).toEqual([])
    expect(shown).toMatchObject(sample)
  })

  test('sends nothing that was not touched', () => {
    expect(formToParams(fields, {}).params).toEqual({})
  })
})
