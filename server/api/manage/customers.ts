import { deleteCustomerName, getCustomer, suspendCustomer } from '../../accounts/customers/change'
import { listCustomers } from '../../accounts/customers/list'
import { CustomerChanges, CustomerId, CustomerList, CustomerPage, CustomerView } from '../../accounts/customers/shape'
import { AUDITED_BY_MODULE, type OperationEntry } from '../operation-meta'
import { router } from '../trpc'
import { doAct, etagOf, type ManageCall, manageProcedure, manages, requireMatch } from './act'

type Described = Pick<OperationEntry, 'operationId' | 'summary' | 'description'>

const meta = (method: OperationEntry['method'], path: '' | '/{id}', described: Described) => ({
  openapi: { method, path: `/manage/customers${path}` as const, ...described, tags: ['Management'], protect: true },
})

const versionOf = ({ id, name, suspended }: CustomerView): string => etagOf({ id, name, suspended })

/** A customer as it is answered, with the version that If-Match takes. */
function answer({ ctx }: ManageCall<unknown>, customer: CustomerView): CustomerView {
  ctx.reply.etag = versionOf(customer)
  return customer
}

const check = (call: ManageCall<unknown>) => (customer: CustomerView) => requireMatch(call, versionOf(customer))

/** Customers of an account, for its programs. */
export const manageCustomersRouter = router({
  list: manageProcedure
    .meta({
      ...meta('GET', '', {
        operationId: 'listCustomers',
        summary: 'List customers, the latest first, with what each was charged this month',
      }),
      rest: { schema: 'CustomerList', traits: ['granted'] },
    })
    .input(CustomerPage)
    .output(CustomerList)
    .query(manages('customers', ({ ownerId, input }) => listCustomers(ownerId, input))),

  get: manageProcedure
    .meta({
      ...meta('GET', '/{id}', { operationId: 'readCustomer', summary: 'One customer' }),
      rest: { schema: 'Customer', traits: ['granted', 'named', 'versioned'] },
    })
    .input(CustomerId)
    .output(CustomerView)
    .query(manages('customers', async (call) => answer(call, await getCustomer(call.ownerId, call.input.id)))),

  change: manageProcedure
    .meta({
      ...meta('PATCH', '/{id}', {
        operationId: 'changeCustomer',
        summary: 'Suspend a customer, or serve it again',
        description: 'Holds from the next call on, in every process. Calls in progress end and are charged.',
      }),
      ...AUDITED_BY_MODULE,
      rest: { schema: 'Customer', traits: ['granted', 'named', 'matched', 'versioned'] },
    })
    .input(CustomerChanges.extend(CustomerId.shape))
    .output(CustomerView)
    .mutation(
      manages('customers', (call) => {
        const { id, suspended } = call.input
        const act = {
          action: 'customer_changed',
          subject: ({ customer }: CustomerView) => customer,
          detail: { suspended },
          answer: (customer: CustomerView) => answer(call, customer),
        } as const
        return doAct(call, act, () => suspendCustomer({ ownerId: call.ownerId, id }, suspended, check(call)))
      }),
    ),

  deleteName: manageProcedure
    .meta({
      ...meta('DELETE', '/{id}', {
        operationId: 'deleteCustomerName',
        summary: 'Delete the name of a customer',
        description:
          'Its receipts, keys and limits stay, and show a hash in place of the name. Whoever is named so from then ' +
          'on is another customer.',
      }),
      ...AUDITED_BY_MODULE,
      rest: { schema: 'Customer', traits: ['granted', 'named', 'matched', 'versioned'] },
    })
    .input(CustomerId)
    .output(CustomerView)
    .mutation(
      manages('customers', (call) => {
        const act = {
          action: 'customer_name_deleted',
          subject: ({ customer }: CustomerView) => customer,
          answer: (customer: CustomerView) => answer(call, customer),
        } as const
        return doAct(call, act, () => deleteCustomerName({ ownerId: call.ownerId, id: call.input.id }, check(call)))
      }),
    ),
})
