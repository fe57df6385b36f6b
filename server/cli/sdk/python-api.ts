import type { oas31 } from 'zod-openapi'
import type { UnknownRecord } from '../../kit/record'
import { headOf, type Module, moduleOf, named, pascal, typeOf } from './python-types'

/** What methods of the client return, by its name in the document. */
const RETURNED = [
  'AgentJob',
  'BatchResult',
  'KeyStatus',
  'Query202',
  'Receipt',
  'StartedAgentRun',
  'Task',
  'WebhookEvent',
]

/** Names that Python has taken get the underscore that its style guide asks for. */
const argumentName = (name: string): string => (['from', 'in', 'is', 'not'].includes(name) ? `${name}_` : name)

type Argument = { name: string; schema: unknown; isNeeded: boolean }

const bodyOf = ({ requestBody }: UnknownRecord): Argument[] => {
  const { schema } =
    (requestBody as { content: Record<string, { schema: UnknownRecord }> }).content['application/json'] ?? {}
  const { properties = {}, required = [] } = schema ?? {}
  return Object.entries(properties as UnknownRecord).map(([name, each]) => {
    return { name, schema: each, isNeeded: (required as string[]).includes(name) }
  })
}

const queryOf = ({ parameters }: UnknownRecord): Argument[] =>
  (parameters as { name: string; in: string; schema: unknown }[])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => ({ name, schema, isNeeded: false }))

type Method = { name: string; about: string; before: string; returns: string; calls: string; arguments: Argument[] }

/** A method whose arguments are those of an operation, and which hands on what was given. */
function methodOf(module: Module, { name, about, before, returns, calls, arguments: given }: Method): string {
  const typed = [...given]
    .sort((a, b) => Number(b.isNeeded) - Number(a.isNeeded))
    .map((each) => {
      const type = typeOf(module, each.schema, `${pascal(name)}${pascal(each.name)}`)
      return `        ${argumentName(each.name)}: ${type}${each.isNeeded ? '' : ' | None = None'},`
    })
  const values = given.map((each) => `            ${JSON.stringify(each.name)}: ${argumentName(each.name)},`)
  return `    def ${name}(
        self,
${before}${typed.join('\n')}
    ) -> ${returns}:
        """${about}"""
        given: dict[str, Any] = {
${values.join('\n')}
        }
        ${calls}
`
}

/**
 * The module `api.py`: types of what is returned and sent, and methods whose arguments are those of
 * an operation.
 */
export function pythonApi(document: oas31.OpenAPIObject): string {
  const module = moduleOf(document)
  for (const name of RETURNED) named(module, name)
  const operationAt = (path: string, method: 'get' | 'post') =>
    (document.paths?.[path]?.[method] ?? {}) as unknown as UnknownRecord
  const methods = [
    methodOf(module, {
      name: 'start_run',
      about: 'Starts an agent run. The same idempotency_key is the same run.',
      before: '        goal: str,\n        *,\n        idempotency_key: str | None = None,\n',
      returns: 'StartedAgentRun',
      calls: 'return self._start_run({"goal": goal, **_given(given)}, idempotency_key)',
      arguments: bodyOf(operationAt('/agent', 'post')).filter(
        ({ name }) => !['goal', 'idempotencyKey', 'wait'].includes(name),
      ),
    }),
    methodOf(module, {
      name: 'answer',
      about: 'Answers what a run asks.',
      before: '        job_id: str,\n        *,\n',
      returns: 'dict[str, Any]',
      calls: 'return self._send_answer(job_id, _given(given))',
      arguments: bodyOf(operationAt('/agent/{jobId}/answer', 'post')),
    }),
    methodOf(module, {
      name: 'receipts',
      about: 'Every receipt, newest first.',
      before: '        *,\n',
      returns: 'Iterator[Receipt]',
      calls: 'return self._receipts(_given(given))',
      arguments: queryOf(operationAt('/usage', 'get')).filter(({ name }) => name !== 'cursor'),
    }),
  ]
  const tail = `def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


class ApiCalls:
    """Methods whose arguments are those of an operation, under their names there."""

${methods.join('\n')}
    def _start_run(self, body: dict[str, Any], idempotency_key: str | None) -> StartedAgentRun:
        raise NotImplementedError

    def _send_answer(self, job_id: str, body: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def _receipts(self, filters: dict[str, Any]) -> Iterator[Receipt]:
        raise NotImplementedError
`
  const head = headOf('What the API takes and returns.', 'Any, Iterator, Literal, NotRequired, TypedDict, Union')
  return `${head}${module.classes.join('\n')}\n\n${tail}`
}
