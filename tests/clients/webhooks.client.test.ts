import { expect, it } from 'vitest'
import { getSigningSecret } from '../../server/agent/webhooks/secret'
import { scriptedGoal, startAgentRun } from '../support/agent'
import { withSandbox } from '../support/api'
import { makeCaller } from '../support/owners'
import { untilDelivery, withReceiver } from '../support/webhook-receiver'
import { withWorker } from '../support/worker'
import { runProgram } from './run-program'

withSandbox()
const receiver = withReceiver()
withWorker()

it('standardwebhooks takes what a callback URL gets, and nothing that was changed', async () => {
  const { owner, key } = await makeCaller(10_000, { agent: true })
  const goal = scriptedGoal({ text: 'Done.' })
  const { body } = await startAgentRun(key.key, { goal, callbackUrl: receiver.url('/hook') })
  await untilDelivery(key.key, body.jobId, 'delivered')
  const [got] = receiver.received('/hook')
  if (!got) throw new Error('nothing was received')
  const { secret } = await getSigningSecret(owner.id)
  const verify = (text: string) =>
    runProgram(
      'standardwebhooks',
      { name: 'standardwebhooks', version: '1.1.1' },
      { DELIVERY: JSON.stringify({ secret, headers: got.headers, body: text }) },
    )
  expect(JSON.parse(await verify(got.body))).toMatchObject({ type: 'agent.completed', data: { jobId: body.jobId } })
  await expect(verify(got.body.replace('completed', 'failed'))).rejects.toThrow(/No matching signature/)
})
