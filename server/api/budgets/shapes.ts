import { z } from 'zod'
import { CustomerName } from '../../accounts/customers/shape'
import { Budget, BudgetChanges, BudgetInput, BudgetOfCustomer, BudgetScope } from '../../credits/budgets/shape'
import { ExternalId, NewKey } from '../../keys/shape'

/** A budget's scope as people and programs write it: with the names of customers. */
export const NamedScope = BudgetScope.extend({
  tags: NewKey.shape.tags.unwrap().min(1).optional().describe('Tags: of keys with one of them'),
  customers: z
    .union([z.literal('each'), z.array(CustomerName).min(1).max(1_000)])
    .optional()
    .describe('Names of customers, counted together; "each": every customer is counted by itself'),
  tools: BudgetScope.shape.tools.describe('Tool ids, groups such as `web`, or the beginning of ids: `web_*`'),
}).describe('Which calls count: those that fit every field; of tools and models, either. Empty: every call')
export type NamedScope = z.infer<typeof NamedScope>

const { name, credits, window, requestsPerMinute, tokensPerMinute, alertAt } = BudgetInput.shape

/** A budget to make. */
export const NewBudget = z.strictObject({
  name,
  externalId: ExternalId.nullable().default(null),
  credits,
  window: window.describe("When it begins anew, in the account's time zone; lifetime: never"),
  scope: NamedScope.default({}),
  requestsPerMinute,
  tokensPerMinute,
  alertAt,
})
export type NewBudget = z.output<typeof NewBudget>

/** The same as it is declared: its path says its external id. */
export const DeclaredBudget = NewBudget.omit({ externalId: true })

/** A change of a budget; what is left out stays. */
export const NamedBudgetChanges = BudgetChanges.extend({ scope: NamedScope.optional() })
export type NamedBudgetChanges = z.infer<typeof NamedBudgetChanges>

/** A budget with what is spent and held. Of one that counts each customer, these are sums. */
export const NamedBudget = Budget.extend({
  scope: NamedScope.extend({
    customers: z
      .union([z.literal('each'), z.array(z.string())])
      .optional()
      .describe('As they were named; of one whose name was deleted, `deleted:` and a hash'),
  }),
})
export type NamedBudget = z.infer<typeof NamedBudget>

/** A budget that was declared. */
export const DeclaredBudgetAnswer = NamedBudget.extend({})

export const BudgetId = z.object({ id: z.string().max(200).describe("The budget's id") })

export const BudgetPage = z.object({
  limit: z.int().min(1).max(100).default(50).describe('Budgets a page'),
  cursor: z.string().max(200).optional().describe('`nextCursor` of the page before'),
})
export type BudgetPage = z.infer<typeof BudgetPage>
export const BudgetList = z.object({ rows: z.array(NamedBudget), nextCursor: z.string().nullable() })

export const BudgetCustomersPage = BudgetId.extend({
  limit: BudgetPage.shape.limit.describe('Customers a page'),
  cursor: BudgetPage.shape.cursor,
})
export type BudgetCustomersPage = z.infer<typeof BudgetCustomersPage>

/** What each customer has used of a budget that counts each. */
export const BudgetCustomerList = z.object({
  rows: z.array(
    BudgetOfCustomer.omit({ customerId: true }).extend({
      id: z.int().describe("The customer's id"),
      customer: z.string().describe('Its name; of one whose name was deleted, `deleted:` and a hash'),
    }),
  ),
  nextCursor: z.string().nullable(),
})
