import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '../trpc'
import { CheckOption, Field, Input } from '../ui/field'
import { Skeleton } from '../ui/skeleton'
import type { OfferedChatTool } from './request'
import type { ChatSettings } from './turn'

const NONE: readonly OfferedChatTool[] = []

/** The chosen tools as requests describe them; null until the catalog is here. */
export function useOfferedTools(ids: readonly string[]): readonly OfferedChatTool[] | null {
  const { data } = useQuery(
    useTRPC().tools.list.queryOptions(undefined, { enabled: ids.length > 0, staleTime: 600_000 }),
  )
  if (ids.length === 0) return NONE
  if (!data) return null
  return data
    .filter(({ id }) => ids.includes(id))
    .map(({ id, description, schema }) => ({
      type: 'function' as const,
      function: { name: id, description, parameters: schema as Record<string, unknown> },
    }))
}

type Props = { settings: ChatSettings; error?: string; onChange: (settings: ChatSettings) => void }

/** Which tools models may call, and what those may cost unasked. */
export function ToolSettings({ settings, error, onChange }: Props) {
  const { tools, toolLimit } = settings
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery(useTRPC().tools.list.queryOptions(undefined, { enabled: isOpen, staleTime: 600_000 }))
  return (
    <details className="min-w-0" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary className="mb-2 text-table font-medium">
        Tools {tools.length > 0 ? `(${tools.length} on)` : '(off)'}
      </summary>
      {isOpen && (
        <div className="grid gap-3">
          <p className="text-caption text-muted">
            The model may call them, paid from your balance. Each tool also makes every request a little longer.
          </p>
          <fieldset className="grid max-h-64 gap-1 overflow-y-auto rounded border p-2">
            <legend className="sr-only">Tools that models may call</legend>
            {!data && <Skeleton className="h-24 w-full" />}
            {data?.map(({ id, label, credits }) => (
              <CheckOption
                key={id}
                type="checkbox"
                checked={tools.includes(id)}
                onChange={({ target }) =>
                  onChange({ ...settings, tools: target.checked ? [...tools, id] : tools.filter((one) => one !== id) })
                }
                label={
                  <span className="flex justify-between gap-2 text-table">
                    {label} <span className="num text-muted">{credits ?? 'metered'}</span>
                  </span>
                }
              />
            ))}
          </fieldset>
          <Field
            label="Credits to spend unasked"
            error={error}
            hint="By the tools of a conversation; beyond, each call asks."
          >
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                placeholder="0"
                value={toolLimit}
                onChange={({ target }) => onChange({ ...settings, toolLimit: target.value })}
              />
            )}
          </Field>
        </div>
      )}
    </details>
  )
}
