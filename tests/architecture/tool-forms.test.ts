import { describe, expect, test } from 'vitest'
import { fillRequired } from '../../components/catalog/fill-required'
import { buildFormFields } from '../../components/catalog/form-fields'
import { formToParams, paramsToForm } from '../../components/catalog/form-values'
import { exampleInput } from '../../server/tools/example'
import { describeParams, paramsJsonSchema } from '../../server/tools/params'
import { toolGroups } from '../../server/tools/registry'

const tools = toolGroups.flatMap((group) => group.tools)
const SANDBOX_URL = 'http://127.0.0.1:1'

describe.each(tools.map((tool) => [tool.id, tool] as const))('the form of %s', (_id, tool) => {
  const schema = paramsJsonSchema(tool)
  const fields = buildFormFields({ params: describeParams(tool), schema } as never)

  test('has a field for every parameter, and JSON only for objects', () => {
    expect(fields.map(({ name }) => name)).toEqual(Object.keys(tool.params.shape))
    const asJson = fields.filter(({ kind }) => kind === 'json').map(({ name, type }) => [name, type])
    expect(asJson.filter(([, type]) => type !== 'object')).toEqual([])
    expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(schema.required ?? [])
  })

  test.each([true, false])('begins with an example that can be sent (sandbox: %s)', (isSandbox) => {
    const example = exampleInput(tool, { sandbox: isSandbox, SANDBOX_URL })
    const filled = formToParams(fields, paramsToForm(fields, example))
    expect(filled.params).toEqual(example)
    if (isSandbox) {
      expect(filled.errors).toEqual({})
      expect(tool.params.safeParse(filled.params).error).toBeUndefined()
    }
    const shown = fillRequired(example, fields)
    expect(fields.filter(({ name, required }) => required && shown[name] === undefined)).toEqual([])
    expect(shown).toMatchObject(example)
  })

  test('sends nothing that was not touched', () => {
    expect(formToParams(fields, {}).params).toEqual({})
  })
})
