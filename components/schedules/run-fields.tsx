'use client'

import { useState } from 'react'
import type { RunKey } from '../jobs/shape'
import { formatCredits } from '../ui/amount'
import { CheckOption, Field, Select } from '../ui/field'
import type { Schedule } from './shape'

type Props = {
  keys: RunKey[]
  models: { id: string; name: string }[]
  capabilities: { id: string; label: string }[]
  of?: Schedule
  /** Runs were restricted to groups, and none was chosen. */
  hasNoGroup: boolean
}

const box = 'w-full min-w-0 rounded border border-line-strong bg-raised px-2.5 py-2 text-text placeholder:text-muted'

/** What each run does, under which key, and with what it may work. */
export function RunFields({ keys, models, capabilities, of, hasNoGroup }: Props) {
  const [isConfined, setConfined] = useState(Boolean(of?.capabilities))
  return (
    <div className="grid gap-3">
      <Field label="Goal" hint="What each run is to accomplish">
        {(control) => (
          <textarea
            {...control}
            name="goal"
            rows={5}
            required
            maxLength={100_000}
            defaultValue={of?.goal}
            className={box}
          />
        )}
      </Field>
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label="Key">
          {(control) => (
            <Select
              {...control}
              name="key"
              defaultValue={keys.some(({ id }) => id === of?.keyId) ? of?.keyId : undefined}
            >
              {keys.map((key) => (
                <option key={key.id} value={key.id}>
                  {key.name}, {formatCredits(key.agentRunBudgetCredits)} credits
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Mode">
          {(control) => (
            <Select {...control} name="mode" defaultValue={of?.mode ?? 'autonomous'}>
              <option value="autonomous">Autonomous: it acts</option>
              <option value="interactive">Interactive: it plans and asks</option>
            </Select>
          )}
        </Field>
        <Field label="Model">
          {(control) => (
            <Select {...control} name="model" defaultValue={of?.model ?? ''}>
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
      <fieldset className="grid gap-2">
        <legend className="mb-1 text-table font-medium">Capabilities</legend>
        <CheckOption
          type="checkbox"
          name="confined"
          checked={isConfined}
          onChange={({ target }) => setConfined(target.checked)}
          label="Restrict runs to capability groups"
          note="Otherwise runs may use what the key allows"
        />
        {isConfined && hasNoGroup && (
          <p role="alert" className="text-caption text-bad">
            Choose at least one group
          </p>
        )}
        {isConfined && (
          <div className="ml-6.5 grid gap-1.5 sm:grid-cols-2">
            {capabilities.map(({ id, label }) => (
              <CheckOption
                key={id}
                type="checkbox"
                name="capability"
                value={id}
                defaultChecked={of?.capabilities?.includes(id)}
                label={label}
              />
            ))}
          </div>
        )}
      </fieldset>
    </div>
  )
}
