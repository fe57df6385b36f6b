import { Credits, formatCredits } from '../ui/amount'
import { KeyboardRows } from '../ui/keyboard-rows'
import { Meter } from '../ui/meter'
import { DataTable, Head, Row, Td, Th } from '../ui/table'
import type { BudgetCustomer } from './shape'

/** What each customer has used of a budget. */
export const CustomerTable = ({ rows, credits }: { rows: readonly BudgetCustomer[]; credits: number }) => (
  <KeyboardRows>
    <DataTable label="Customers">
      <Head>
        <Th>Customer</Th>
        <Th right>Spent</Th>
        <Th>Left</Th>
      </Head>
      <tbody>
        {rows.map(({ id, customer, spent, held }) => {
          const left = Math.max(0, credits - spent - held)
          const low = left < credits / 10
          return (
            <Row key={id}>
              <Td className="wrap-anywhere">{customer}</Td>
              <Td right>
                <Credits value={spent} />
              </Td>
              <Td>
                <span className={low ? 'text-warn' : undefined}>{formatCredits(left)}</span>
                <Meter
                  label={customer}
                  whole={credits}
                  spent={spent}
                  reserved={held}
                  low={low}
                  className="mt-1 max-w-48"
                />
              </Td>
            </Row>
          )
        })}
      </tbody>
    </DataTable>
  </KeyboardRows>
)
