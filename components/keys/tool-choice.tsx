'use client'

import { useEffect, useRef } from 'react'
import { formatCredits } from '../ui/amount'
import { CheckOption } from '../ui/field'
import type { GrantableTool, GrantedScopes, KeyOptions } from './options'
import { useKeyFields } from './use-key-form'

const price = ({ credits, pricing }: GrantableTool): string =>
  pricing === 'metered' || credits === null
    ? 'metered'
    : `${formatCredits(credits)} ${credits === 1 ? 'credit' : 'credits'}`

type GroupProps = {
  group: KeyOptions['groups'][number]
  chosen: ReadonlySet<string>
  /** Whether a tool can be chosen. */
  isOpen: (id: string) => boolean
}

/** A group of tools to select, as a whole or one by one, with prices. */
function Group({ group, chosen, isOpen }: GroupProps) {
  const { values, set } = useKeyFields()
  const box = useRef<HTMLInputElement>(null)
  const ids = group.tools.map((t) => t.id).filter(isOpen)
  const selected = ids.filter((id) => chosen.has(id)).length
  useEffect(() => {
    if (box.current) box.current.indeterminate = selected > 0 && selected < ids.length
  })
  const change = (names: string[], on: boolean) => {
    const rest = values.tools.filter((id) => !names.includes(id))
    set({ tools: on ? [...rest, ...names] : rest })
  }
  return (
    <fieldset className="rounded border">
      <legend className="sr-only">{group.label}</legend>
      <CheckOption
        ref={box}
        type="checkbox"
        checked={selected === ids.length}
        onChange={(e) => change(ids, e.target.checked)}
        className="border-b bg-sunken px-3 py-2 font-medium"
        label={
          <span className="flex justify-between gap-3">
            {group.label}
            <span className="text-caption font-normal text-muted">
              {selected} of {ids.length}
            </span>
          </span>
        }
      />
      <div className="divide-y">
        {group.tools.map((tool) => (
          <CheckOption
            key={tool.id}
            type="checkbox"
            checked={chosen.has(tool.id)}
            disabled={!isOpen(tool.id)}
            onChange={(e) => change([tool.id], e.target.checked)}
            className="px-3 py-2"
            label={
              <span className="flex flex-wrap justify-between gap-x-3" title={tool.description}>
                <span>
                  {tool.label} <span className="num text-caption text-muted">{tool.id}</span>
                </span>
                <span className="num text-muted">{price(tool)}</span>
              </span>
            }
          />
        ))}
      </div>
    </fieldset>
  )
}

/** Which tools a key may call; of one that exists, which of those it may call now. */
export function ToolChoice({ groups, granted }: { groups: KeyOptions['groups']; granted?: GrantedScopes }) {
  const { values, errors, radio } = useKeyFields()
  const { toolMode: mode, tools } = values
  const own = granted && granted.tools !== 'all' ? granted.tools : null
  const isOpen = (id: string) => own === null || own.includes(id)
  const shown = groups.filter(({ tools }) => tools.some(({ id }) => isOpen(id)))
  const error = errors.tools ?? errors.toolMode
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-table font-medium">Tools</legend>
      <CheckOption
        {...radio('toolMode', 'all')}
        label="Every tool"
        note="Including tools added later"
        disabled={own !== null}
      />
      <CheckOption {...radio('toolMode', 'some')} label="Selected tools" disabled={own?.length === 0} />
      {mode === 'some' && (
        <div className="ml-6.5 grid gap-3 max-sm:ml-0">
          {shown.map((group) => (
            <Group key={group.id} group={group} chosen={new Set(tools)} isOpen={isOpen} />
          ))}
          {shown.length < groups.length && (
            <p className="text-muted">Tools of {groups.length - shown.length} further groups take a new key.</p>
          )}
          {groups.length === 0 && <p className="text-muted">No tools are configured yet.</p>}
        </div>
      )}
      <CheckOption {...radio('toolMode', 'none')} label="No tools" />
      {error && (
        <p role="alert" className="text-caption text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}
