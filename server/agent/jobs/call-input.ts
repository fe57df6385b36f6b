import { agentTools } from '../../agent-tools/registry'
import { runStatement } from '../../db'
import { statement } from '../../kit/statement'
import { ModelStepOutput } from '../run/model-step-output'
import { inputAsTaken, parseToolArguments } from '../run/tool-access'

const MODEL_STEP = statement({
  name: 'agent_model_step_before',
  sql: `SELECT s.index, s.output FROM step s WHERE s.job_id = $1 AND s.index < $2 AND s.kind = 'model'
    ORDER BY s.index DESC LIMIT 1`,
  params: ['uuid', 'int'],
  columns: { index: 'int', output: 'jsonb?' },
})

/**
 * The input of a call that has no step yet, by the index its step will have, as its tool takes it.
 * It is read from the model step that made the call, so that nothing is stored twice. Null where
 * there is no such call. The caller has checked whose job it is.
 */
export async function callInput(jobId: string, index: number): Promise<unknown> {
  const [step] = await runStatement(MODEL_STEP, [jobId, index])
  const output = ModelStepOutput.safeParse(step?.output)
  const call = step && output.success ? output.data.calls[index - step.index - 1] : undefined
  const params = call && parseToolArguments(call.arguments)
  return call && params ? inputAsTaken(agentTools(), call.name, params) : null
}
