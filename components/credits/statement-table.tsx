import Link from 'next/link'
import type { StatementLine } from '@/server/credits/shape'
import { Credits, formatCredits } from '../ui/amount'
import { KeyboardRows } from '../ui/keyboard-rows'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { ExactTime } from '../ui/time-ago'

const KINDS: Record<StatementLine['kind'], string> = {
  charges: 'Charges',
  grant: 'Credits added',
  correction: 'Correction',
  refund: 'Refund',
}

const LINK = 'text-accent underline underline-offset-2'

/** What a line is about. Charges lead to the calls of their day. */
function LineText({ of: { kind, day, calls, note, requestId } }: { of: StatementLine }) {
  if (kind === 'charges')
    return (
      <Link href={`/usage?from=${day}&to=${day}`} data-row-go className={`focus-visible:outline-none ${coversRow}`}>
        {formatCredits(calls)} {calls === 1 ? 'call' : 'calls'}
      </Link>
    )
  return (
    <>
      {note && <span className="wrap-anywhere">{note}</span>}{' '}
      {requestId && (
        <Link href={`/usage?receipt=${requestId}`} prefetch={false} className={LINK}>
          Receipt
        </Link>
      )}
    </>
  )
}

/** An account's statement, newest first. */
export const StatementTable = ({ lines }: { lines: readonly StatementLine[] }) => (
  <KeyboardRows>
    <DataTable label="Statement">
      <Head>
        <Th>Day</Th>
        <Th>What</Th>
        <Th wide>Details</Th>
        <Th right>Credits</Th>
        <Th right>Balance</Th>
      </Head>
      <tbody>
        {lines.map((line) => (
          <Row key={`${line.kind} ${line.id}`}>
            <Td className="num whitespace-nowrap">{line.day}</Td>
            <Td>
              {KINDS[line.kind]}
              <span className="block text-caption text-muted lg:hidden">
                <LineText of={line} />
              </span>
            </Td>
            <Td wide>
              <LineText of={line} />
              {line.at && <ExactTime at={line.at} className="ml-2 text-caption text-muted" />}
            </Td>
            <Td right className={line.amount > 0 ? 'font-medium' : undefined}>
              {line.amount > 0 && '+'}
              <Credits value={line.amount} />
            </Td>
            <Td right className="text-muted">
              <Credits value={line.balance} />
            </Td>
          </Row>
        ))}
      </tbody>
    </DataTable>
  </KeyboardRows>
)
