import { isRecord, type UnknownRecord } from '../../kit/record'
import { type Draft, note, refuse } from './draft'
import { anthropicSchema, closedSchema } from './schema-dialects'

/** The form of the answer in a body, wherever its wire has it, and how it is replaced. */
type Format = { value: UnknownRecord; set: (value: UnknownRecord | null) => void }

function formatIn({ wire, body }: Draft): Format | null {
  const parent = wire === 'chat' ? body : wire === 'responses' ? body.text : body.output_config
  const name = wire === 'chat' ? 'response_format' : 'format'
  if (!isRecord(parent) || !isRecord(parent[name])) return null
  const set = (value: UnknownRecord | null) => {
    if (wire === 'chat') body.response_format = value ?? undefined
    else {
      const { [name]: _format, ...kept } = parent
      const made = value ? { ...kept, [name]: value } : kept
      body[wire === 'responses' ? 'text' : 'output_config'] = Object.keys(made).length > 0 ? made : undefined
    }
  }
  return { value: parent[name], set }
}

const INSTRUCTION = 'Answer with one valid JSON object, and nothing before or after it.'

/** The form of the answer as the model takes it, and the schemas of strict tools. */
export function fitSchema(draft: Draft): void {
  const { abilities, wire } = draft
  const { schemaDialect } = abilities
  const format = formatIn(draft)
  if (wire === 'messages' && format?.value.type === 'json_object') {
    format.set(null)
    addSystem(draft, INSTRUCTION)
    note(draft, 'response_format', 'instructed')
  } else if (format?.value.type === 'json_schema') fitFormat(draft, format)
  if (schemaDialect === 'anthropic') fitStrictTools(draft)
}

/** A messages body whose system prompt ends with a text. */
function addSystem({ body }: Draft, text: string): void {
  const { system } = body
  const blocks = typeof system === 'string' ? [{ type: 'text', text: system }] : Array.isArray(system) ? system : []
  body.system = [...blocks, { type: 'text', text }]
}

function fitFormat(draft: Draft, { value, set }: Format): void {
  const { wire, abilities } = draft
  const { schemaDialect } = abilities
  if (schemaDialect === 'none')
    refuse(draft, 'response_format', '{model} takes no schema of its answer; ask for JSON in the prompt instead.')
  const holder = wire === 'chat' && isRecord(value.json_schema) ? value.json_schema : value
  const put = (made: UnknownRecord, now: string) => {
    set(holder === value ? made : { ...value, json_schema: made })
    note(draft, 'response_format', now)
  }
  const { schema } = holder
  if (!isRecord(schema)) return
  if (schemaDialect === 'anthropic') {
    const fitted = anthropicSchema(schema)
    if (fitted.open) refuse(draft, 'response_format', `{model} takes only closed objects, and ${fitted.open} is open.`)
    if (fitted.schema !== schema) put({ ...holder, schema: fitted.schema }, 'rewritten')
  } else if (schemaDialect === 'openai' && holder.strict === true) {
    const fitted = closedSchema(schema)
    if (fitted === null) put({ ...holder, strict: false }, 'not strict')
    else if (fitted !== schema) put({ ...holder, schema: fitted }, 'rewritten')
  }
}

/** Tools of the messages API whose input has to match its schema. */
function fitStrictTools(draft: Draft): void {
  const { tools } = draft.body
  if (!Array.isArray(tools) || !tools.some((tool) => isRecord(tool) && tool.strict === true)) return
  draft.body.tools = tools.map((tool: unknown) => {
    if (!isRecord(tool) || tool.strict !== true || !isRecord(tool.input_schema)) return tool
    const { schema, open } = anthropicSchema(tool.input_schema)
    if (schema === tool.input_schema && !open) return tool
    note(draft, 'tools', open ? 'not strict' : 'rewritten')
    if (!open) return { ...tool, input_schema: schema }
    const { strict: _strict, ...kept } = tool
    return kept
  })
}
