import { agentTools } from '../../agent-tools/registry'
import { invalidRequest } from '../../errors'
import { isRecord } from '../../kit/record'
import type { AnswerRequest } from '../shape'
import { callInput } from './call-input'
import type { Pause } from './pause'

const refuse = (path: (string | number)[], message: string) => invalidRequest([{ path, message }])

/**
 * The input of a call as a person approves it; null: as it is. Throws `invalid_request` for an edit
 * of what is no approved call, and for parameters that its tool does not take.
 */
export async function editedInput(
  job: { id: string },
  { kind, index, tool }: Pause,
  { approved, edit, without }: AnswerRequest,
): Promise<Record<string, unknown> | null> {
  if (edit === undefined && without === undefined) return null
  if (kind !== 'approval' || !approved) throw refuse(['edit'], 'only a call that you approve can be changed')
  const given = await callInput(job.id, index)
  const changed = withoutFiles({ ...(isRecord(given) ? given : {}), ...edit }, without)
  const parsed = agentTools()
    .find(({ id }) => id === tool)
    ?.params.safeParse(changed)
  if (!parsed) throw refuse(['edit'], `the tool ${tool} is not configured here any more`)
  if (!parsed.success)
    throw invalidRequest(parsed.error.issues.map((issue) => ({ ...issue, path: ['edit', ...issue.path.map(String)] })))
  return parsed.data
}

/** A call's input without some of its files. */
function withoutFiles(input: Record<string, unknown>, without: readonly string[] = []): Record<string, unknown> {
  if (without.length === 0) return input
  if (typeof input.folder === 'string') {
    const before = Array.isArray(input.exclude) ? input.exclude : []
    return { ...input, exclude: [...before, ...without] }
  }
  const files = Array.isArray(input.files) ? input.files.filter(isRecord) : []
  const unknown = without.find((path) => !files.some((file) => file.path === path))
  if (unknown !== undefined) throw refuse(['without'], `the call has no file ${unknown}`)
  return { ...input, files: files.filter(({ path }) => !without.includes(String(path))) }
}
