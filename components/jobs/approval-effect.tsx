import { useState } from 'react'
import type { AwaitingInput } from '@/server/agent/shape'
import { cn } from '../ui/cn'
import { LINK } from '../ui/external-link'
import { DataTable, Head, Row, Td, Th } from '../ui/table'

type Effect = NonNullable<NonNullable<AwaitingInput['approval']>['effect']>
type Files = Extract<Effect, { kind: 'files' }>
type Rows = Extract<Effect, { kind: 'rows' }>

const number = new Intl.NumberFormat('en-US')
const counted = (count: number, one: string) => `${number.format(count)} ${one}${count === 1 ? '' : 's'}`

const CHANGES: Record<Files['files'][number]['change'], { word: string; className: string }> = {
  removed: { word: 'Removed', className: 'text-bad' },
  changed: { word: 'Changed', className: 'text-warn' },
  added: { word: 'Added', className: 'text-good' },
}

const lineClass = (line: string) =>
  line.startsWith('+') ? 'text-good' : line.startsWith('-') ? 'text-bad' : line.startsWith('@@') ? 'text-muted' : ''

/** A diff, whose lines say by their first character what becomes of them, too. */
const Diff = ({ text, label }: { text: string; label: string }) => (
  <section aria-label={label}>
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="num max-h-60 overflow-auto rounded border bg-raised p-2 text-caption [overflow-wrap:anywhere] whitespace-pre-wrap"
    >
      {text.split('\n').map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text stay as they are
        <span key={i} className={cn('block', lineClass(line))}>
          {line}
        </span>
      ))}
    </pre>
  </section>
)

/** A site as it is and as it would be. Its pages run in their sandbox, and load when wanted. */
function BeforeAndAfter({ before, after }: NonNullable<Files['pages']>) {
  const [isOpen, setOpen] = useState(false)
  const pages = [
    { what: 'Now', url: before },
    { what: 'After your approval', url: after },
  ]
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer font-medium">See the page before and after</summary>
      {isOpen && (
        <div className="mt-2 grid gap-3 sm:grid-cols-2">
          {pages.map(({ what, url }) => (
            <div key={what} className="grid gap-1">
              <p className="flex justify-between gap-2 text-caption text-muted">
                {what}
                <a href={url} target="_blank" rel="noreferrer" className={LINK} aria-label={`Open the page: ${what}`}>
                  Open
                </a>
              </p>
              <iframe
                src={url}
                title={`The page: ${what}`}
                sandbox="allow-scripts"
                className="h-80 w-full rounded border bg-[oklch(1_0_0)]"
              />
            </div>
          ))}
        </div>
      )}
    </details>
  )
}

/** The files that change; of those that come or change, any can be left out of what is approved. */
const ChangedFiles = ({ files, total, pages }: Files) => (
  <div className="grid gap-2">
    {pages && <BeforeAndAfter {...pages} />}
    <ul className="grid gap-2">
      {files.map(({ path, change, bytesBefore, bytesAfter, diff }) => (
        <li key={path} className="grid gap-1">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <span className={cn('font-medium', CHANGES[change].className)}>{CHANGES[change].word}</span>
            <span className="num min-w-0 wrap-anywhere">{path}</span>
            <span className="text-caption text-muted">
              {[bytesBefore, bytesAfter]
                .map((bytes) => (bytes === null ? 'nothing' : `${number.format(bytes)} B`))
                .join(' → ')}
            </span>
            {change !== 'removed' && (
              <label className="ml-auto flex items-center gap-1.5 text-caption">
                <input type="checkbox" name="without" value={path} className="size-3.5" /> Leave out
              </label>
            )}
          </div>
          {diff && <Diff text={diff} label={`What changes in ${path}`} />}
        </li>
      ))}
    </ul>
    {total > files.length && <p className="text-caption text-muted">{counted(total - files.length, 'more file')}</p>}
  </div>
)

const SomeRows = ({
  title,
  columns,
  rows,
  of,
}: {
  title: string
  columns: string[]
  rows: Rows['addedRows']
  of: number
}) =>
  of > 0 && (
    <div>
      <p className="text-caption text-muted">
        {title}: {number.format(of)}
        {of > rows.length && `, of which the first ${rows.length}`}
      </p>
      <DataTable label={title}>
        <Head>
          {columns.map((name) => (
            <Th key={name}>{name}</Th>
          ))}
        </Head>
        <tbody>
          {rows.map((cells, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a sample have no other name
            <Row key={i}>
              {columns.map((name, j) => (
                <Td key={name} className="max-w-60 truncate">
                  {String(cells[j] ?? '')}
                </Td>
              ))}
            </Row>
          ))}
        </tbody>
      </DataTable>
    </div>
  )

/** What an approved call would change: files with their lines, rows, or how many rows. */
export function ApprovalEffect({ effect }: { effect: Effect }) {
  if (effect.kind === 'files') return <ChangedFiles {...effect} />
  if (effect.kind === 'statement')
    return (
      <p>
        {effect.affected === null
          ? `How many rows it changes is not known: ${effect.note ?? 'it was not tried.'}`
          : `It changes ${counted(effect.affected, 'row')}, as a trial that was rolled back showed.`}
      </p>
    )
  const { rowsBefore, rowsAfter, columns, added, removed, addedRows, removedRows } = effect
  return (
    <div className="grid gap-2">
      <p>
        {counted(rowsBefore, 'row')} now, {number.format(rowsAfter)} then.
      </p>
      <SomeRows title="Rows that go" columns={columns} rows={removedRows} of={removed} />
      <SomeRows title="Rows that come" columns={columns} rows={addedRows} of={added} />
    </div>
  )
}
