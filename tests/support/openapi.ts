import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { send, type TestResponse } from './api'

type Ref = { $ref: string }
type Described = { headers?: Record<string, Ref>; content?: Record<string, object> }
type OperationObject = { operationId: string; responses: Record<string, Ref | Described> }
type OpenApi = {
  paths: Record<string, Record<string, OperationObject>>
  components: { responses: Record<string, Described>; headers: Record<string, { required?: boolean; schema: object }> }
}

/** An operation of the document with where it is. */
type Found = { id: string; pointer: string; operation: OperationObject }

const pointerTo = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** The document as it is served, and what compares live answers with it. */
export async function loadOpenApi() {
  const document = (await send('/api/v1/openapi.json')).body as unknown as OpenApi
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'openapi', ...document })

  const operations = Object.entries(document.paths).flatMap(([path, at]) =>
    Object.entries(at).flatMap(([method, operation]): Found[] =>
      'responses' in operation
        ? [{ id: operation.operationId, pointer: `/paths/${pointerTo(path)}/${method}`, operation }]
        : [],
    ),
  )

  const problemsOf = (pointer: string, value: unknown): string | null => {
    const validate = ajv.getSchema(`openapi#${pointer}`) ?? ajv.compile({ $ref: `openapi#${pointer}` })
    return validate(value) ? null : ajv.errorsText(validate.errors)
  }

  /** Fails unless an answer is one that the document says this operation can give. */
  function expectDescribed(id: string, { status, headers, text }: TestResponse): void {
    const { pointer, operation } =
      operations.find((found) => found.id === id) ?? expect.unreachable(`no operation ${id}`)
    const what = `${id} ${status}: ${text.slice(0, 500)}`
    const listed = operation.responses[String(status)]
    if (!listed) throw new Error(`The document lacks ${what}`)
    const isRef = '$ref' in listed
    const at = isRef ? listed.$ref.slice(1) : `${pointer}/responses/${status}`
    const response = isRef ? document.components.responses[listed.$ref.split('/').pop() ?? ''] : listed
    if (!response) throw new Error(`The document lacks the response of ${what}`)

    const type = headers.get('content-type')?.split(';')[0]?.trim()
    if (!response.content) expect(text, what).toBe('')
    else if (!('*/*' in response.content)) {
      expect(Object.keys(response.content), what).toContain(type)
      const schema = `${at}/content/${pointerTo(type ?? '')}/schema`
      expect(problemsOf(schema, type === 'application/json' ? JSON.parse(text) : text), what).toBeNull()
    }
    for (const [name, { required, schema }] of Object.entries(document.components.headers)) {
      const value = headers.get(name)
      const isListed = Object.keys(response.headers ?? {}).includes(name)
      if (value !== null) expect(isListed, `${name} of ${what}`).toBe(true)
      if (isListed && required) expect(value, `${name} of ${what}`).not.toBeNull()
      const isNumber = 'type' in schema && schema.type === 'integer'
      if (value !== null)
        expect(problemsOf(`/components/headers/${pointerTo(name)}/schema`, isNumber ? Number(value) : value)).toBeNull()
    }
  }

  return { document, operations, expectDescribed }
}
