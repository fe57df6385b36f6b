import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { getBalance } from '../../server/credits/balance'
import { findLedgerDifferences } from '../../server/credits/verify'
import { readSteps, scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { callQuery, chargedTo, withSandbox } from '../support/api'
import { startFreezingProxy } from '../support/freezing-proxy'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { withWorkerProcesses } from '../support/worker-processes'

withSandbox()
const startWorker = withWorkerProcesses()

const AGENT = { agent: true }
const search = { name: 'web_search', arguments: { query: 'toll roads' } }

/** A time limit for calls that a held lock would block, much longer than they take. */
const BOUND_MS = 20_000

it.each([
  ['as its first step is committed', /INSERT INTO step|agent_commit/],
  ['as it takes the run', /fencing_token = fencing_token \+ 1|agent_claim/],
])(
  'a worker frozen %s delays neither its owner nor anybody else',
  async (_when, pattern) => {
    const { owner, key } = await makeCaller(100_000, AGENT)
    const other = await makeCaller(100_000, AGENT)
    const proxy = await startFreezingProxy(pattern, () => sleeper.child.kill('SIGSTOP'))
    const sleeper = await startWorker({ DATABASE_URL: proxy.url })
    const goal = scriptedGoal({ turns: [{ toolCalls: [search] }, { text: 'Done.' }] })
    const { body } = await startAgentRun(key.key, { goal })
    await proxy.frozen
    const calls = [key.key, other.key.key, key.key, other.key.key].map((one) =>
      callQuery(one, 'web_search', { query: 'tolls' }),
    )
    const answers = await Promise.race([Promise.all(calls), sleep(BOUND_MS, [])])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])

    await startWorker()
    const done = await untilStatus(key.key, body.jobId, 'completed', 'failed')
    expect(done).toMatchObject({ status: 'completed', result: 'Done.' })
    const before = await readSteps(key.key, body.jobId)
    expect(before.map(({ index }) => index)).toEqual([0, 1, 2])
    sleeper.child.kill('SIGCONT')
    await pollUntil('no hold', async () => (await getBalance(owner.id)).held === 0)
    expect(await readSteps(key.key, body.jobId)).toEqual(before)
    expect(await chargedTo(owner)).toBe(Number(done.creditsSpent) + 2)
    expect(await findLedgerDifferences()).toEqual([])
  },
  180_000,
)
