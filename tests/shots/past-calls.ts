import { mainPool } from '../../server/db'
import { uuidv7 } from '../../server/kit/id'
import { creditsForTokens } from '../../server/models/prices'
import { findModel } from '../../server/models/registry'
import { type Draw, drawFrom } from '../../server/sandbox/kit/seed'
import { findTool } from '../../server/tools/registry'
import { chainAgain } from '../support/ledger-chain'

/** What a key calls, and how often on a working day. `tokens`: the usual input and output. */
export type CallHabit = {
  keyId: number
  channel: string
  perDay: number
} & ({ tool: string } | { model: string; product: 'chat' | 'agent'; tokens: [input: number, output: number] })

type PastCall = {
  id: string
  at: string
  key_id: number
  status: 'ok' | 'failed' | 'void'
  channel: string
  product: string
  what: string
  charged: number
  held: number
  detail: Record<string, number | boolean | string>
}

const DAY_MS = 86_400_000

/** A weekend has a third of the calls of a working day, and each week some more than the last. */
function callsOfDay(draw: Draw, perDay: number, daysAgo: number): number {
  const weekday = new Date(Date.now() - daysAgo * DAY_MS).getUTCDay()
  const weekend = weekday === 0 || weekday === 6 ? 0.35 : 1
  return Math.round(perDay * weekend * (1.15 - daysAgo / 90) * (0.7 + 0.6 * draw.chance(`day ${daysAgo}`)))
}

function chargeOf(habit: CallHabit, draw: Draw, name: string): Pick<PastCall, 'charged' | 'held' | 'detail'> {
  const durationMs = draw.int(`${name} ms`, 90, 'tool' in habit ? 1_900 : 9_000)
  if ('tool' in habit) {
    const pricing = findTool(habit.tool)?.pricing
    const credits = pricing?.kind === 'fixed' ? pricing.credits : draw.int(`${name} credits`, 90, 180)
    return { charged: credits, held: credits, detail: { durationMs } }
  }
  const model = findModel(habit.model)
  if (!model) throw new Error(`There is no model ${habit.model}.`)
  const [input, output] = habit.tokens
  const usage = {
    inputTokens: Math.round(input * (0.4 + 1.4 * draw.chance(`${name} input`))),
    outputTokens: Math.round(output * (0.3 + 1.6 * draw.chance(`${name} output`))),
  }
  const charged = Number(creditsForTokens(usage, model))
  const prices = {
    creditsPer1mInput: Number(model.creditsPer1mInput),
    creditsPer1mOutput: Number(model.creditsPer1mOutput),
  }
  return { charged, held: charged * 3, detail: { durationMs, ...usage, ...prices, estimated: false } }
}

function pastCall(habit: CallHabit, draw: Draw, daysAgo: number, nth: number): PastCall {
  const name = `${daysAgo} ${nth}`
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS
  // Most of a day's calls are made between 6 and 20 h.
  const at = midnight - daysAgo * DAY_MS + (6 + 14 * draw.chance(`${name} at`)) * 3_600_000
  const luck = draw.chance(`${name} status`)
  const status = luck < 0.012 ? 'void' : luck < 0.03 && 'tool' in habit ? 'failed' : 'ok'
  const { charged, held, detail } = chargeOf(habit, draw, name)
  return {
    id: uuidv7(at),
    at: new Date(at).toISOString(),
    key_id: habit.keyId,
    channel: habit.channel,
    product: 'tool' in habit ? 'tool' : habit.product,
    what: 'tool' in habit ? habit.tool : habit.model,
    status,
    charged: status === 'void' ? 0 : charged,
    held,
    detail: status === 'ok' ? detail : { durationMs: detail.durationMs ?? 0, error: 'The provider returned HTTP 503' },
  }
}

const INSERT = `WITH call AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS c(id uuid, at timestamptz, key_id int, status text, channel text,
      product text, what text, charged bigint, held bigint, detail jsonb)
  ), receipt AS (
    INSERT INTO receipt (id, at, started_at, held, charged, owner_id, key_id, status, channel, product, what, detail, seal)
      SELECT id, at, at - (detail->>'durationMs')::int * interval '1 ms', held, charged, $1, key_id, status, channel,
        product, what, detail, 0 FROM call
  ), charge AS (
    INSERT INTO ledger (at, amount, hold_id, owner_id, key_id)
      SELECT at, -charged, id, $1, key_id FROM call WHERE charged > 0
  ), paid AS (
    INSERT INTO ledger (at, amount, owner_id, note) SELECT min(at), sum(charged), $1, 'Credits of the past' FROM call
  )
  UPDATE "key" k SET spent = k.spent + c.sum FROM (SELECT key_id, sum(charged) FROM call GROUP BY key_id) c
  WHERE k.id = c.key_id`

/**
 * Gives an owner the receipts that weeks of these habits would have left, up to yesterday, and the
 * credits that paid for them: the ledger agrees with them.
 */
export async function writePastCalls(ownerId: number, habits: readonly CallHabit[], days: number): Promise<void> {
  const calls = habits.flatMap((habit) => {
    const draw = drawFrom(`habit ${habit.keyId} ${'tool' in habit ? habit.tool : habit.model}`)
    return Array.from({ length: days }, (_, i) => i + 1).flatMap((daysAgo) =>
      Array.from({ length: callsOfDay(draw, habit.perDay, daysAgo) }, (_, nth) => pastCall(habit, draw, daysAgo, nth)),
    )
  })
  await mainPool().query(INSERT, [ownerId, JSON.stringify(calls)])
  await chainAgain(ownerId)
}
