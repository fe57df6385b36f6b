import { Search } from 'lucide-react'
import { useRef } from 'react'
import { Input, Select } from '../ui/field'
import { useSlashFocus } from '../ui/use-slash-focus'
import type { ToolFilter } from './filter-tools'

type Props = {
  filter: ToolFilter
  groups: readonly string[]
  found: number
  onChange: (filter: ToolFilter) => void
}

/** The filters of the tool list. They apply as one types. */
export function ToolFilters({ filter, groups, found, onChange }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useSlashFocus(field)
  return (
    <search aria-label="Filter tools" className="mb-3 flex flex-wrap items-center gap-2">
      <div className="relative min-w-52 flex-1 sm:max-w-80">
        <Search className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted" aria-hidden />
        <Input
          ref={field}
          type="search"
          aria-keyshortcuts="/"
          aria-label="Search tools"
          placeholder="Name, id, what it does"
          value={filter.q}
          onChange={(e) => onChange({ ...filter, q: e.target.value })}
          className="pl-8"
        />
      </div>
      <Select
        aria-label="Group"
        value={filter.group ?? ''}
        onChange={(e) => onChange({ ...filter, group: e.target.value || null })}
        className="w-auto"
      >
        <option value="">All groups</option>
        {groups.map((group) => (
          <option key={group}>{group}</option>
        ))}
      </Select>
      <p role="status" className="text-table text-muted">
        {found} {found === 1 ? 'tool' : 'tools'}
      </p>
    </search>
  )
}
