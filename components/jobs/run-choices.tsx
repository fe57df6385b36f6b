import Link from 'next/link'
import type { ReactNode } from 'react'
import { CheckOption, Field, Input, Select } from '../ui/field'
import { Notice } from '../ui/page'
import { RunKeyField } from './run-key-field'
import type { RunKey } from './shape'

type Props = {
  /** What is chosen at first. */
  runKey: RunKey
  models: { id: string; name: string }[]
  mode?: 'autonomous' | 'interactive'
  model?: string | null
}

/** The key, the mode and the model of a run, as fields `key`, `mode` and `model` of a form. */
export const RunChoices = ({ runKey, models, mode = 'autonomous', model }: Props) => (
  <div className="grid gap-3 sm:grid-cols-3">
    <RunKeyField first={runKey} />
    <Field label="Mode">
      {(control) => (
        <Select {...control} name="mode" defaultValue={mode}>
          <option value="autonomous">Autonomous: it acts</option>
          <option value="interactive">Interactive: it plans and asks</option>
        </Select>
      )}
    </Field>
    <Field label="Model">
      {(control) => (
        <Select {...control} name="model" defaultValue={model ?? ''}>
          <option value="">Your default</option>
          {models.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  </div>
)

/** What a run may spend, as the field `maxCredits` of a form; empty: as its conversation. */
export const MaxCredits = ({ value }: { value?: number }) => (
  <Field label="Spend limit of this run, credits" hint="Empty: the limit of its key" className="max-w-72">
    {(control) => (
      <Input {...control} name="maxCredits" type="number" min={1} max={1_000_000_000} step={1} defaultValue={value} />
    )}
  </Field>
)

/** Whether a run reads and writes notes, as the field `memory` of a form. */
export const UsesNotes = ({ value = true }: { value?: boolean }) => (
  <CheckOption
    type="checkbox"
    name="memory"
    defaultChecked={value}
    label="Use notes"
    note="It is given your notes and may ask to add to them. A schedule’s runs keep notes for the next one."
  />
)

/** For an owner without a key that may start runs. `children`: why it takes one. */
export const NoRunKey = ({ children }: { children: ReactNode }) => (
  <Notice tone="warn">
    {children} You have no such key:{' '}
    <Link href="/keys/new?for=agent" className="underline underline-offset-2">
      create one
    </Link>
    .
  </Notice>
)
