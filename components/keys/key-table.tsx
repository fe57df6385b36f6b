import Link from 'next/link'
import type { KeyView } from '@/server/keys/shape'
import { Credits } from '../ui/amount'
import { cn } from '../ui/cn'
import { KeyboardRows } from '../ui/keyboard-rows'
import { SortLink } from '../ui/sort-link'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { KeyBudget } from './key-budget'
import { KeyStateBadge } from './key-state'
import { KeyTags } from './key-tags'
import { scopesOf, secretHint } from './scopes'

/** An account's keys; a row links to the key's page. `reader`: who needs not be named. */
export const KeyTable = ({ keys, reader }: { keys: KeyView[]; reader: string }) => (
  <KeyboardRows>
    <DataTable label="Keys">
      <Head>
        <SortLink column="name" first="asc">
          Name
        </SortLink>
        <Th wide>May call</Th>
        <SortLink column="spent" right>
          Spent
        </SortLink>
        <SortLink column="remaining" first="asc">
          Budget
        </SortLink>
        <SortLink column="used" wide>
          Last used
        </SortLink>
        <SortLink column="created" initial="desc" wide>
          Created
        </SortLink>
      </Head>
      <tbody>
        {keys.map((key) => (
          <Row key={key.id} className={key.state === 'revoked' ? 'text-muted' : undefined}>
            <Td>
              <Link
                href={`/keys/${key.id}`}
                prefetch={false}
                data-row-go
                className={cn('mr-2 font-medium wrap-anywhere focus-visible:outline-none', coversRow)}
              >
                <bdi>{key.name}</bdi>
              </Link>
              <KeyStateBadge state={key.state} />
              <div className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-caption text-muted">
                <span className="num">{secretHint(key, key.last4)}</span>
                {key.madeBy !== null && key.madeBy !== reader && <span className="wrap-anywhere">by {key.madeBy}</span>}
                {key.revokedAt && <TimeAgo at={key.revokedAt} />}
                {key.tags.length > 0 && <KeyTags tags={key.tags} />}
              </div>
            </Td>
            <Td wide>{scopesOf(key)}</Td>
            <Td right>
              <Credits value={key.spent} />
            </Td>
            <Td>{key.management ? <span className="text-muted">—</span> : <KeyBudget of={key} />}</Td>
            <Td wide className="text-muted">
              {key.lastUsedAt ? <TimeAgo at={key.lastUsedAt} /> : 'Never'}
            </Td>
            <Td wide className="text-muted">
              <TimeAgo at={key.createdAt} />
            </Td>
          </Row>
        ))}
      </tbody>
    </DataTable>
  </KeyboardRows>
)
