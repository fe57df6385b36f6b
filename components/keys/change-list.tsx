import type { ChangeLine } from './key-changes'

/** What will be different once a form is saved; null: its fields are not valid yet. */
export const ChangeList = ({ lines }: { lines: readonly ChangeLine[] | null }) => (
  <div aria-live="polite" data-testid="changes" className="grid gap-2">
    {lines === null && <p className="text-muted">Fix the highlighted fields.</p>}
    {lines?.length === 0 && <p className="text-muted">Nothing is changed yet.</p>}
    {lines && lines.length > 0 && (
      <ul className="grid gap-1.5">
        {lines.map(({ what, from, to }) => (
          <li key={what} className="wrap-anywhere">
            <span className="font-medium">{what}</span> <span className="text-muted">{from}</span>{' '}
            <span role="img" aria-label="becomes">
              →
            </span>{' '}
            {to}
          </li>
        ))}
      </ul>
    )}
    {lines?.some(({ narrows }) => narrows) && (
      <p className="text-warn">A key that was narrowed cannot be widened again.</p>
    )}
    {lines && lines.length > 0 && <p className="text-caption text-muted">Applies from the next call on.</p>}
  </div>
)
