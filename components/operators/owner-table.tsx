import Link from 'next/link'
import { Credits } from '../ui/amount'
import { cn } from '../ui/cn'
import { KeyboardRows } from '../ui/keyboard-rows'
import { SortLink } from '../ui/sort-link'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { OwnerBadges } from './owner-badges'
import type { OperatorOwner } from './views'

/** Owners with their money; a row links to the owner's page. */
export const OwnerTable = ({ rows }: { rows: readonly OperatorOwner[] }) => (
  <KeyboardRows>
    <DataTable label="Owners">
      <Head>
        <Th>Owner</Th>
        <SortLink column="available" right>
          Available
        </SortLink>
        <SortLink column="held" right wide>
          Reserved
        </SortLink>
        <SortLink column="spent" right wide>
          Spent this month
        </SortLink>
        <Th right wide>
          Keys
        </Th>
        <SortLink column="created" initial="desc" wide>
          Created
        </SortLink>
      </Head>
      <tbody>
        {rows.map((owner) => (
          <Row key={owner.id}>
            <Td className="max-w-72 min-w-0">
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <Link
                  href={`/operators/owners/${owner.id}`}
                  data-row-go
                  className={cn('font-medium wrap-anywhere focus-visible:outline-none', coversRow)}
                >
                  {owner.email}
                </Link>
                <OwnerBadges {...owner} />
              </span>
              <span className="text-caption text-muted lg:hidden">
                <Credits value={owner.spentThisMonth} /> spent this month
              </span>
            </Td>
            <Td right>
              <Credits value={owner.available} />
            </Td>
            <Td right wide>
              <Credits value={owner.held} className={owner.held === 0 ? 'text-muted' : undefined} />
            </Td>
            <Td right wide>
              <Credits value={owner.spentThisMonth} className={owner.spentThisMonth === 0 ? 'text-muted' : undefined} />
            </Td>
            <Td right wide className="num text-muted">
              {owner.keys}
            </Td>
            <Td wide className="text-muted">
              <TimeAgo at={owner.createdAt} />
            </Td>
          </Row>
        ))}
      </tbody>
    </DataTable>
  </KeyboardRows>
)
