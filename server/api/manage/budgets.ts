import type { z } from 'zod'
import type { Budget } from '../../credits/budgets/shape'
import { ExternalId } from '../../keys/shape'
import {
  alterBudget,
  auditedSettings,
  type BudgetOwner,
  changesToBudget,
  type MadeBudget,
  makeBudget,
  pageOfBudgets,
  readBudget,
  readBudgetCustomers,
  readDeclaredBudget,
  removeBudget,
} from '../budgets/acts'
import {
  BudgetCustomerList,
  BudgetCustomersPage,
  BudgetId,
  BudgetList,
  BudgetPage,
  DeclaredBudget,
  DeclaredBudgetAnswer,
  NamedBudget,
  NamedBudgetChanges,
  NewBudget,
} from '../budgets/shapes'
import { AUDITED_BY_MODULE, type OperationEntry, type Trait } from '../operation-meta'
import { router } from '../trpc'
import { doAct, doActOnce, etagOf, type ManageCall, manageProcedure, manages, requireMatch } from './act'

type Described = Pick<OperationEntry, 'operationId' | 'summary' | 'description'>

const meta = (method: OperationEntry['method'], path: '' | `/${string}`, described: Described) => ({
  openapi: { method, path: `/manage/budgets${path}` as const, ...described, tags: ['Management'], protect: true },
})

const ONE = '/{id}'
const named: readonly Trait[] = ['granted', 'named']

/** A version of a budget: what was chosen of it, not what calls have spent. */
const versionOf = ({ name, externalId, credits, window, scope, requestsPerMinute, tokensPerMinute, alertAt }: Budget) =>
  etagOf({ name, externalId, credits, window, scope, requestsPerMinute, tokensPerMinute, alertAt })

/** A budget as it is answered, with the version that If-Match takes. */
function answer({ ctx }: ManageCall<unknown>, made: MadeBudget): NamedBudget {
  ctx.reply.etag = versionOf(made.budget)
  return made.named
}

const ofCall = (call: ManageCall<unknown>): BudgetOwner => ({
  ownerId: call.ownerId,
  tag: call.grant.tag,
  check: (budget) => requireMatch(call, versionOf(budget)),
})

const actOf = (call: ManageCall<unknown>) => ({
  subject: ({ budget }: MadeBudget) => budget.name,
  answer: (made: MadeBudget) => answer(call, made),
})

function createDeclared(call: ManageCall<unknown>, declared: NewBudget): Promise<NamedBudget> {
  const act = { action: 'budget_created', detail: auditedSettings(declared), ...actOf(call) } as const
  return doAct(call, act, () => makeBudget(ofCall(call), declared))
}

async function changeDeclared(call: ManageCall<unknown>, found: MadeBudget, declared: NewBudget) {
  const owner = ofCall(call)
  owner.check?.(found.budget)
  const changes = await changesToBudget(owner, found.budget, declared)
  if (!changes) return answer(call, found)
  const act = { action: 'budget_changed', detail: auditedSettings(changes), ...actOf(call) } as const
  return doAct(call, act, () => alterBudget(owner, found.budget.id, changes))
}

async function declareBudget(call: ManageCall<z.output<typeof DeclaredBudget> & { id: string }>) {
  const { id: externalId, ...given } = call.input
  const declared = { ...given, externalId }
  const find = () => readDeclaredBudget(ofCall(call), externalId)
  const existing = await find()
  if (existing) return changeDeclared(call, existing, declared)
  try {
    const made = await createDeclared(call, declared)
    call.ctx.reply.status = 201
    return made
  } catch (error) {
    // Of two that declare it at once the second finds the first's.
    const first = await find()
    if (!first) throw error
    return changeDeclared(call, first, declared)
  }
}

/** Budgets of an account, for its programs. */
export const manageBudgetsRouter = router({
  create: manageProcedure
    .meta({
      ...meta('POST', '', {
        operationId: 'createBudget',
        summary: 'Make a budget',
        description:
          'It counts calls from then on, on every process. A call counts against every budget whose scope it fits, at ' +
          'most 16, and none is ever overspent.',
      }),
      ...AUDITED_BY_MODULE,
      rest: { success: 201, traits: ['granted', 'conflicts', 'repeatable', 'versioned'] },
    })
    .input(NewBudget)
    .output(NamedBudget)
    .mutation(
      manages('budgets', (call) => {
        const act = { action: 'budget_created', detail: auditedSettings(call.input), ...actOf(call) } as const
        return doActOnce(call, act, () => makeBudget(ofCall(call), call.input))
      }),
    ),

  list: manageProcedure
    .meta({
      ...meta('GET', '', { operationId: 'listBudgets', summary: 'List budgets, newest first' }),
      rest: { schema: 'BudgetList', traits: ['granted'] },
    })
    .input(BudgetPage)
    .output(BudgetList)
    .query(manages('budgets', (call) => pageOfBudgets(ofCall(call), call.input))),

  get: manageProcedure
    .meta({
      ...meta('GET', ONE, { operationId: 'readBudget', summary: 'One budget, with what is spent and held' }),
      rest: { traits: [...named, 'versioned'] },
    })
    .input(BudgetId)
    .output(NamedBudget)
    .query(manages('budgets', async (call) => answer(call, await readBudget(ofCall(call), call.input.id)))),

  customers: manageProcedure
    .meta({
      ...meta('GET', `${ONE}/customers`, {
        operationId: 'listBudgetCustomers',
        summary: 'What each customer has used of a budget that counts each',
      }),
      rest: { schema: 'BudgetCustomerList', traits: named },
    })
    .input(BudgetCustomersPage)
    .output(BudgetCustomerList)
    .query(manages('budgets', (call) => readBudgetCustomers(ofCall(call), call.input))),

  change: manageProcedure
    .meta({
      ...meta('PATCH', ONE, {
        operationId: 'changeBudget',
        summary: 'Change a budget',
        description:
          'What is omitted stays. It holds for the next call on every process. Fewer credits than are spent allow ' +
          'nothing until the window is over. Another scope counts from then on.',
      }),
      ...AUDITED_BY_MODULE,
      rest: { traits: [...named, 'matched'] },
    })
    .input(NamedBudgetChanges.extend(BudgetId.shape))
    .output(NamedBudget)
    .mutation(
      manages('budgets', (call) => {
        const { id, ...changes } = call.input
        const act = { action: 'budget_changed', detail: auditedSettings(changes), ...actOf(call) } as const
        return doAct(call, act, () => alterBudget(ofCall(call), id, changes))
      }),
    ),

  remove: manageProcedure
    .meta({
      ...meta('DELETE', ONE, {
        operationId: 'deleteBudget',
        summary: 'Delete a budget: it limits nothing any more',
        description: 'The answer is what it was.',
      }),
      ...AUDITED_BY_MODULE,
      rest: { traits: [...named, 'matched'] },
    })
    .input(BudgetId)
    .output(NamedBudget)
    .mutation(
      manages('budgets', (call) =>
        doAct(call, { action: 'budget_deleted', ...actOf(call) }, () => removeBudget(ofCall(call), call.input.id)),
      ),
    ),

  declare: manageProcedure
    .meta({
      ...meta('PUT', ONE, {
        operationId: 'declareBudget',
        summary: 'Make a budget by your own id, or change it to what is declared',
        description:
          '201: it was made. 200: it was there, and is as declared now. A repeat changes nothing. The id of a deleted ' +
          'budget is free again.',
      }),
      ...AUDITED_BY_MODULE,
      rest: {
        schema: 'DeclaredBudget',
        bodies: { 200: DeclaredBudgetAnswer, 201: DeclaredBudgetAnswer },
        traits: ['granted', 'conflicts', 'matched'],
      },
    })
    .input(DeclaredBudget.extend({ id: ExternalId }))
    .output(DeclaredBudgetAnswer)
    .mutation(manages('budgets', declareBudget)),
})
