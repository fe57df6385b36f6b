import type pg from 'pg'
import type { ReleaseRecord } from '../../server/cli/migrations/release'
import { withRetries } from '../../server/kit/pg-retry'

type Row = Record<string, unknown>
type Hold = { id: string; holder: string; ownerId: number; keyId: number; least: number }

/** Arrays of `credits_batch` of which nothing is asked. */
const none = (count: number) => Array.from({ length: count }, () => [])

/** Billed calls as a recorded release makes them: its statements, each prepared once. */
export function recordedCalls({ version, statements }: ReleaseRecord, client: pg.Client) {
  async function run(name: string, ...values: unknown[]): Promise<Row> {
    const text = statements.find((one) => one.name === name)?.texts[0]
    if (!text) throw new Error(`${version} has no statement ${name}`)
    return (await withRetries(() => client.query({ name, text, values }), { isRepeatable: false })).rows[0]
  }
  return {
    run,
    authenticate: (hash: Buffer): Promise<Row> =>
      run('credits_batch', [hash], 1e9, ...none(7), null, ...none(12), null, ...none(2)),
    reserve: ({ id, holder, ownerId, keyId, least }: Hold): Promise<Row> => {
      const hold = [
        [id],
        [ownerId],
        [keyId],
        [null],
        [least],
        [least],
        [0],
        ['rest'],
        ['tool'],
        ['test'],
        [null],
        [null],
      ]
      return run('credits_batch', [], null, ...none(7), holder, ...hold, 10, ...none(2))
    },
    settle: (id: string, actual: number, status: string): Promise<Row> => {
      const settlement = [[id], [actual], [false], [status], ['{"durationMs": 1}'], [null], [null]]
      return run('credits_batch', [], null, ...settlement, null, ...none(12), null, ...none(2))
    },
  }
}
