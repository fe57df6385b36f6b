import { uuidv7 } from '../../server/kit/id'
import { countRequest, flushRequests } from '../../server/request-log/count-requests'
import { flushRefusals, noteRefusal } from '../../server/request-log/note-refusal'
import { makeKey } from '../support/owners'
import { formatLoad, LOAD_HEADS, measureAll, startGateway } from './measure'
import { QUERY_BODY } from './query-body'
import { formatSpread, formatTimesSpread, formatWhole, markdownTable } from './table'

/** Refusals of one second, after which a process writes what it has counted. */
const PER_SECOND = 2_000
const SECONDS = 20

/** Microseconds of CPU time that counting and keeping a refusal takes, writing included. */
async function measureCounting(ownerId: number, keyId: number): Promise<number> {
  const begun = process.cpuUsage()
  for (let second = 0; second < SECONDS; second++) {
    for (let n = 0; n < PER_SECOND; n++) {
      countRequest({ ownerId, keyId, status: 402, limitName: 'key_budget', ms: 2 })
      noteRefusal({
        ...{ id: uuidv7(), ownerId, keyId, status: 402, code: 'insufficient_credits', reason: 'insufficient_credits' },
        ...{ message: 'The key has 1 of 1 credits left.', limitSource: 'key_budget', limitName: 'till' },
        ...{ operation: 'public.query', called: 'crypto_get_prices' },
      })
    }
    await flushRequests()
    await flushRefusals()
  }
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / (SECONDS * PER_SECOND)
}

/**
 * Calls that a key's budget refuses, beside billed ones, and the CPU time of counting a refusal as
 * a part of that of the call.
 */
export async function benchRefusals(): Promise<string> {
  const gateway = await startGateway()
  const call = { pid: gateway.pid, url: `${gateway.url}/api/v1/query`, body: QUERY_BODY }
  const key = await makeKey({ id: gateway.ownerId, email: '' }, { budget: 1, rpm: 100_000 })
  try {
    const [billed, refused] = await measureAll([
      { name: 'billed /query', ...call, key: gateway.key },
      { name: 'refused by a budget (402)', ...call, key: key.key, isRefused: true },
    ])
    if (!billed || !refused) throw new Error('nothing was measured')
    const counting: number[] = []
    await measureCounting(gateway.ownerId, key.id)
    for (const _ of refused.rounds) counting.push(await measureCounting(gateway.ownerId, key.id))
    const parts = counting.map((us, round) => us / (refused.rounds[round]?.serverCpuUs ?? Number.NaN))
    return [
      markdownTable(
        ['32 connections', ...LOAD_HEADS],
        [billed, refused].map(({ name, rounds }) => [name, ...formatLoad(rounds)]),
      ),
      markdownTable(
        ['counting and keeping a refusal', 'CPU µs', 'of a refused call'],
        [['', formatSpread(counting, formatWhole), formatTimesSpread(parts)]],
      ),
    ].join('\n\n')
  } finally {
    await gateway.stop()
  }
}
