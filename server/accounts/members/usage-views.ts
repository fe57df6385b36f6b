import { inTransaction, prisma, runIn, type Transaction } from '../../db'
import { AppError } from '../../errors'
import { statement } from '../../kit/statement'
import { memberNotFound } from './memberships'
import { MAX_USAGE_VIEWS, UsageView } from './shape'

/** Whose views: those of a person in an account. */
type ViewsOf = { accountId: number; personId: number }

const LOCK = statement({
  name: 'usage_views_lock',
  sql: 'SELECT views FROM member WHERE account_id = $1 AND person_id = $2 FOR UPDATE',
  params: ['int', 'int'],
  columns: { views: 'jsonb?' },
})

/** Views as they are stored; what is no view is left out. */
const parseViews = (stored: unknown): UsageView[] =>
  (Array.isArray(stored) ? stored : []).flatMap((one) => UsageView.safeParse(one).data ?? [])

const isNamed = (name: string) => (view: UsageView) => view.name.toLowerCase() === name.toLowerCase()

/** The views that a person keeps of an account's usage, by name. */
export async function listUsageViews(of: ViewsOf): Promise<UsageView[]> {
  const row = await prisma().member.findUnique({ where: { accountId_personId: of }, select: { views: true } })
  return parseViews(row?.views)
}

/** Changes views, one change after the other. Throws `not_found` for who is no member any more. */
const changeViews = (of: ViewsOf, change: (views: UsageView[]) => UsageView[]): Promise<UsageView[]> =>
  inTransaction(async (tx: Transaction) => {
    const [row] = await runIn(tx, LOCK, [of.accountId, of.personId])
    if (!row) throw memberNotFound()
    const views = change(parseViews(row.views)).sort((a, b) => a.name.localeCompare(b.name))
    await tx.member.update({ where: { accountId_personId: of }, data: { views } })
    return views
  })

/** Keeps a view. Throws `conflict` where there is one of that name, or as many as may be. */
export const saveUsageView = (of: ViewsOf, view: UsageView): Promise<UsageView[]> =>
  changeViews(of, (views) => {
    if (views.some(isNamed(view.name)))
      throw new AppError('conflict', `You have a view called "${view.name}". Choose another name, or delete it first.`)
    if (views.length >= MAX_USAGE_VIEWS)
      throw new AppError('conflict', `You have ${MAX_USAGE_VIEWS} views, which is the most. Delete one first.`)
    return [...views, view]
  })

/** Forgets a view. Throws `not_found` where there is none of that name. */
export const removeUsageView = (of: ViewsOf, name: string): Promise<UsageView[]> =>
  changeViews(of, (views) => {
    if (!views.some(isNamed(name))) throw new AppError('not_found', 'There is no such view.')
    return views.filter((view) => !isNamed(name)(view))
  })
