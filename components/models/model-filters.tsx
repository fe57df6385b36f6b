import { Search } from 'lucide-react'
import { useRef } from 'react'
import { cn } from '../ui/cn'
import { Input } from '../ui/field'
import { useSlashFocus } from '../ui/use-slash-focus'
import { isModelKind, MODEL_KIND_LABELS, type ModelFilter } from './filter-models'

type Props = { filter: ModelFilter; found: number; onChange: (filter: ModelFilter) => void }

/** The filters of the model list. They apply as one types. */
export function ModelFilters({ filter, found, onChange }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useSlashFocus(field)
  const kinds = [null, ...Object.keys(MODEL_KIND_LABELS).filter(isModelKind)]
  return (
    <search aria-label="Filter models" className="mb-3 flex flex-wrap items-center gap-2">
      <div className="relative min-w-52 flex-1 sm:max-w-80">
        <Search className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted" aria-hidden />
        <Input
          ref={field}
          type="search"
          aria-keyshortcuts="/"
          aria-label="Search models"
          placeholder="Name, id, provider, “vision”"
          value={filter.q}
          onChange={(e) => onChange({ ...filter, q: e.target.value })}
          className="pl-8"
        />
      </div>
      <fieldset className="flex flex-wrap rounded border bg-raised p-0.5 text-table">
        <legend className="sr-only">Kind</legend>
        {kinds.map((kind) => (
          <button
            key={kind ?? 'all'}
            type="button"
            aria-pressed={filter.kind === kind}
            onClick={() => onChange({ ...filter, kind })}
            className={cn(
              'rounded-[4px] px-2.5 leading-7',
              filter.kind === kind ? 'bg-accent-weak font-medium text-accent' : 'text-muted hover:text-text',
            )}
          >
            {kind ? MODEL_KIND_LABELS[kind] : 'All'}
          </button>
        ))}
      </fieldset>
      <p role="status" className="text-table text-muted">
        {found} {found === 1 ? 'model' : 'models'}
      </p>
    </search>
  )
}
