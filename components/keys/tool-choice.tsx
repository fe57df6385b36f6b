'use client'

import { useEffect, useRef } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { formatCredits } from '../ui/amount'
import { CheckOption } from '../ui/field'
import type { KeyFormValues } from './form-values'
import type { GrantableTool, KeyOptions } from './options'

const price = ({ credits, pricing }: GrantableTool): string =>
  pricing === 'metered' || credits === null
    ? 'metered'
    : `${formatCredits(credits)} ${credits === 1 ? 'credit' : 'credits'}`

/** A group of tools to select, as a whole or one by one, with prices. */
function Group({ group, chosen }: { group: KeyOptions['groups'][number]; chosen: ReadonlySet<string> }) {
  const { setValue, getValues } = useFormContext<KeyFormValues>()
  const box = useRef<HTMLInputElement>(null)
  const ids = group.tools.map((t) => t.id)
  const selected = ids.filter((id) => chosen.has(id)).length
  useEffect(() => {
    if (box.current) box.current.indeterminate = selected > 0 && selected < ids.length
  })
  const change = (names: string[], on: boolean) => {
    const rest = getValues('tools').filter((id) => !names.includes(id))
    setValue('tools', on ? [...rest, ...names] : rest, { shouldDirty: true, shouldValidate: true })
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
            name="tools"
            value={tool.id}
            checked={chosen.has(tool.id)}
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

/** Which tools a key may call. */
export function ToolChoice({ groups }: { groups: KeyOptions['groups'] }) {
  const { register, formState, control } = useFormContext<KeyFormValues>()
  const [mode, tools] = useWatch({ control, name: ['toolMode', 'tools'] })
  const error = formState.errors.tools?.message ?? formState.errors.toolMode?.message
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-table font-medium">Tools</legend>
      <CheckOption
        type="radio"
        value="all"
        {...register('toolMode')}
        label="Every tool"
        note="Including tools added later"
      />
      <CheckOption type="radio" value="some" {...register('toolMode')} label="Selected tools" />
      {mode === 'some' && (
        <div className="ml-6.5 grid gap-3 max-sm:ml-0">
          {groups.map((group) => (
            <Group key={group.id} group={group} chosen={new Set(tools)} />
          ))}
          {groups.length === 0 && <p className="text-muted">No tools are configured yet.</p>}
        </div>
      )}
      <CheckOption type="radio" value="none" {...register('toolMode')} label="No tools" />
      {error && (
        <p role="alert" className="text-caption text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}
