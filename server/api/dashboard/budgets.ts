import type { z } from 'zod'
import {
  alterBudget,
  auditedSettings,
  type MadeBudget,
  makeBudget,
  ofAccount,
  pageOfBudgets,
  readBudget,
  readBudgetCustomers,
  removeBudget,
} from '../budgets/acts'
import {
  BudgetCustomerList,
  BudgetCustomersPage,
  BudgetId,
  BudgetList,
  BudgetPage,
  NamedBudget,
  NamedBudgetChanges,
  NewBudget,
} from '../budgets/shapes'
import { audited } from '../operation-meta'
import { memberProcedure, router } from '../trpc'

const ChangeBudget = BudgetId.extend({ changes: NamedBudgetChanges })
const subject = (_input: unknown, { budget }: MadeBudget) => budget.name

export const budgetsRouter = router({
  list: memberProcedure('member')
    .input(BudgetPage)
    .output(BudgetList)
    .query(({ ctx, input }) => pageOfBudgets(ofAccount(ctx.owner), input)),
  get: memberProcedure('member')
    .input(BudgetId)
    .output(NamedBudget)
    .query(async ({ ctx, input }) => (await readBudget(ofAccount(ctx.owner), input.id)).named),
  customers: memberProcedure('member')
    .input(BudgetCustomersPage)
    .output(BudgetCustomerList)
    .query(({ ctx, input }) => readBudgetCustomers(ofAccount(ctx.owner), input)),
  create: memberProcedure('admin')
    .meta(audited<NewBudget, MadeBudget>('budget_created', { subject, detail: auditedSettings }))
    .input(NewBudget)
    .output(NamedBudget)
    .mutation(async ({ ctx, input }) => (await makeBudget(ofAccount(ctx.owner), input)).named),
  change: memberProcedure('admin')
    .meta(
      audited<z.infer<typeof ChangeBudget>, MadeBudget>('budget_changed', {
        subject,
        detail: ({ changes }) => auditedSettings(changes),
      }),
    )
    .input(ChangeBudget)
    .output(NamedBudget)
    .mutation(async ({ ctx, input }) => (await alterBudget(ofAccount(ctx.owner), input.id, input.changes)).named),
  remove: memberProcedure('admin')
    .meta(audited<unknown, MadeBudget>('budget_deleted', { subject }))
    .input(BudgetId)
    .output(NamedBudget)
    .mutation(async ({ ctx, input }) => (await removeBudget(ofAccount(ctx.owner), input.id)).named),
})
