import type { ReserveRequest } from '../credits/hold-request'
import { settleRun } from '../credits/perform'
import type { CallPlan, Ran, Replay } from '../credits/plan'
import { enterAndHold, mustEnterFirst, mustQueue, type Reservation, reserveCredits } from '../credits/reserve'
import { entryOf } from '../keys/authenticate'
import type { Context } from './context'
import { type CallCustomer, customerOf, payerFor } from './customer'
import type { Entrance, Payer } from './trpc'

/** What a billed operation found about a call: its plan, and how what becomes of it is written. */
export type Checked<T, A> = { plan: CallPlan<Ran<T>>; answer: (outcome: T | Replay) => A | Promise<A> }

type Check<I, P, T, A> = (call: { ctx: Context; input: I; by: P }) => Promise<Checked<T, A>>
type BilledCall<I, P extends Payer> = { ctx: Context & { entrance: Entrance<P> }; input: I }

/**
 * The first two stages of a billed operation, for a call that may run later: its plan, for the
 * customer that its request names, and its hold.
 */
export const held =
  <I, P extends Payer, T, A>(check: Check<I, P, T, A>) =>
  ({ ctx, input }: BilledCall<I, P>) => {
    ctx.reply.called = namedIn(input)
    return checkAndHold(ctx.entrance, async (by: P) => {
      const customer = customerOf(ctx, by, input)
      const { plan, answer } = await check({ ctx, input, by })
      if (customer?.refusal) throw customer.refusal
      return { ...plan, answer, customer }
    })
  }

/**
 * A billed operation, from its check alone. `by` is who would pay: the check says what the call may
 * cost and what it would do, and does nothing itself, because it is asked again for a key whose
 * grants have changed. Then the key enters and the credits are held, the call runs, and it is
 * settled, each once.
 */
export const billed =
  <I, P extends Payer, T, A>(check: Check<I, P, T, A>) =>
  async (call: BilledCall<I, P>): Promise<A> => {
    const { plan, reservation } = await held(check)(call)
    return runAndSettle(plan, reservation)
  }

/** The tool or model that an input names. */
function namedIn(input: unknown): string | undefined {
  const { tool, model, name } = input as { tool?: unknown; model?: unknown; name?: unknown }
  const named = tool ?? model ?? name
  return typeof named === 'string' ? named : undefined
}

/** The other two stages: the call runs, is settled, and is answered; or it is answered again. */
export const runAndSettle = async <T, A>(
  plan: CallPlan<Ran<T>> & Pick<Checked<T, A>, 'answer'>,
  reservation: Reservation,
): Promise<A> => plan.answer(reservation.kind === 'replay' ? reservation : await settleRun(await plan.run(reservation)))

/**
 * The first two stages: what the call would do, and its hold. Throws the refusal of the key, then
 * what the check throws, then what `reserveCredits` throws.
 */
export async function checkAndHold<P extends Payer, C extends PlanOfCustomer>(
  { expected, enter }: Entrance<P>,
  check: (by: P) => Promise<C>,
): Promise<{ plan: C; reservation: Reservation }> {
  const tried = expected && (await attempt(() => check(expected.caller)))
  const first = tried?.plan
  const request = expected && first ? requestNow(expected.caller, first) : null
  if (expected && first && request && !mustQueue(request)) {
    const plan = first
    const asked = enterAndHold(request, expected, plan.gone)
    await enter(asked.then(({ key }) => entryOf(expected.hash, key)))
    const { hold } = await asked
    if (hold?.kind === 'refused') throw hold.error
    if (hold) return { plan, reservation: hold }
  }
  const by = await enter()
  // With the same grants it would be the same plan, or the same refusal.
  const isSame = expected !== null && by.grants === expected.caller.grants
  if (isSame && tried?.plan === null) throw tried.error
  const plan = (isSame && tried?.plan) || (await check(by))
  const payer = await payerFor(by, plan.customer ?? null)
  return { plan, reservation: await reserveCredits({ ...payer, ...plan.terms }, plan.gone) }
}

type PlanOfCustomer = CallPlan<unknown> & { customer?: CallCustomer | null }

/**
 * What a plan asks of the ledger; null where that takes something to be read first, which a key
 * that was not let in has no part in.
 */
function requestNow({ ownerId, keyId }: Payer, { terms, customer }: PlanOfCustomer): ReserveRequest | null {
  const customerId = customer?.known()
  if (customer && customerId === undefined) return null
  const ofCustomer = customer && { customerId, findCustomer: customer.find }
  const request = { ownerId, keyId, ...ofCustomer, ...terms }
  return mustEnterFirst(request) ? null : request
}

const attempt = <C>(check: () => Promise<C>) =>
  check().then(
    (plan) => ({ plan, error: null }),
    (error: unknown) => ({ plan: null, error }),
  )
