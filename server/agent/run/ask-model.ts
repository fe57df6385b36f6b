import { AppError } from '../../errors'
import { log } from '../../kit/log'
import { recordsIn } from '../../kit/record'
import { withoutOwnFields } from './assistant-message'
import { callRunModel, type ModelCall, type ModelReply } from './call-model'
import type { AgentRun } from './state'

/** Models of which an upstream refused its own fields in this process. */
const plainModels = new Set<string>()

/**
 * Calls the run's model with its earlier messages as it gave them. An upstream that refuses fields
 * which it sent itself, as some do, gets the messages without them. Throws what `callRunModel`
 * does.
 */
export async function askModel(run: AgentRun, call: ModelCall): Promise<ModelReply> {
  const { id } = run.model
  const messages = withoutOwnFields(recordsIn(call.body.messages))
  if (messages === null) return callRunModel(run, call)
  const plainCall = { ...call, body: { ...call.body, messages }, isSecond: true }
  if (plainModels.has(id)) return callRunModel(run, plainCall)
  try {
    return await callRunModel(run, call)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error
    log.warn({ job: run.jobId, model: id, err: error.message }, 'a model refused its own messages as it gave them')
    const reply = await callRunModel(run, plainCall)
    plainModels.add(id)
    return reply
  }
}
