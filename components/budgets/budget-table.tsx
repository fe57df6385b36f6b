import Link from 'next/link'
import { cn } from '../ui/cn'
import { KeyboardRows } from '../ui/keyboard-rows'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { BudgetUse } from './budget-use'
import { scopeWords } from './scope-words'
import type { ShownBudget } from './shape'

const wordsOf = ({ scope }: ShownBudget) => scopeWords(scope).join(' · ') || 'Every call'

/** An account's budgets; a row links to the budget's page. */
export const BudgetTable = ({ budgets }: { budgets: readonly ShownBudget[] }) => (
  <KeyboardRows>
    <DataTable label="Budgets">
      <Head>
        <Th>Name</Th>
        <Th wide>Counts</Th>
        <Th>Credits</Th>
        <Th wide>Begins anew</Th>
      </Head>
      <tbody>
        {budgets.map((budget) => (
          <Row key={budget.id}>
            <Td>
              <Link
                href={`/budgets/${budget.id}`}
                prefetch={false}
                data-row-go
                className={cn('font-medium wrap-anywhere focus-visible:outline-none', coversRow)}
              >
                <bdi>{budget.name}</bdi>
              </Link>
              <span className="mt-0.5 block text-caption text-muted wrap-anywhere lg:hidden">{wordsOf(budget)}</span>
            </Td>
            <Td wide className="max-w-96 wrap-anywhere">
              {wordsOf(budget)}
            </Td>
            <Td>
              <BudgetUse of={budget} />
            </Td>
            <Td wide className="text-muted">
              {budget.resetsAt ? <TimeAgo at={budget.resetsAt} /> : 'Never'}
            </Td>
          </Row>
        ))}
      </tbody>
    </DataTable>
  </KeyboardRows>
)
