import Link from 'next/link'
import type { KeyView } from '@/server/keys/shape'
import { cn } from '../ui/cn'
import { KeyboardRows } from '../ui/keyboard-rows'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { KeyBudget, KeyStateBadge } from './key-state'

/** What a key may call, for the table. */
function scope({ tools, llm, agent }: KeyView): string {
  const words = [
    tools === 'all' ? 'all tools' : tools.length > 0 && `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`,
    llm && 'models',
    agent && 'agents',
  ].filter(Boolean)
  return words.length > 0 ? words.join(', ') : 'nothing'
}

/** An owner's keys; a row links to the key's page. */
export const KeyTable = ({ keys }: { keys: KeyView[] }) => (
  <KeyboardRows>
    <DataTable label="Keys">
      <Head>
        <Th>Name</Th>
        <Th wide>May call</Th>
        <Th>Budget</Th>
        <Th wide right>
          Per minute
        </Th>
        <Th wide>Last used</Th>
        <Th wide>Created</Th>
      </Head>
      <tbody>
        {keys.map((key) => (
          <Row key={key.id} className={key.state === 'revoked' ? 'text-muted' : undefined}>
            <Td>
              <Link
                href={`/keys/${key.id}`}
                data-row-go
                className={cn('mr-2 font-medium wrap-anywhere focus-visible:outline-none', coversRow)}
              >
                <bdi>{key.name}</bdi>
              </Link>
              <KeyStateBadge state={key.state} />
              <div className="num text-caption text-muted">tg_…{key.last4}</div>
            </Td>
            <Td wide>{scope(key)}</Td>
            <Td>
              <KeyBudget of={key} />
            </Td>
            <Td wide right className="num">
              {key.rpm}
            </Td>
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
