'use client'

import { useState } from 'react'
import { GoalFiles } from '../jobs/goal-files'
import { MaxCredits, RunChoices, UsesNotes } from '../jobs/run-choices'
import type { RunKey } from '../jobs/shape'
import { CheckOption, Field, Textarea } from '../ui/field'
import type { Schedule } from './shape'

type Props = {
  runKey: RunKey
  models: { id: string; name: string }[]
  capabilities: { id: string; label: string }[]
  of?: Schedule
  /** Runs were restricted to groups, and none was chosen. */
  hasNoGroup: boolean
  /** Why a chosen file is not taken. */
  fileError: string | null
}

/** What each run does, under which key, and with what it may work. */
export function RunFields({ runKey, models, capabilities, of, hasNoGroup, fileError }: Props) {
  const [isConfined, setConfined] = useState(Boolean(of?.capabilities))
  return (
    <div className="grid gap-3">
      <Field label="Goal" hint="What each run is to accomplish">
        {(control) => (
          <Textarea {...control} name="goal" rows={5} required maxLength={100_000} defaultValue={of?.goal} />
        )}
      </Field>
      <RunChoices runKey={runKey} models={models} mode={of?.mode} model={of?.model} />
      <GoalFiles
        hint={
          of && of.attachments.length > 0
            ? `Instead of ${of.attachments.map(({ name }) => name).join(', ')}; nothing chosen: as before`
            : undefined
        }
      />
      {of && of.attachments.length > 0 && (
        <CheckOption type="checkbox" name="noAttachments" label="Remove what is attached" />
      )}
      {fileError && (
        <p role="alert" className="text-caption text-bad">
          {fileError}
        </p>
      )}
      <MaxCredits value={of?.maxCredits} />
      <UsesNotes value={of?.memory} />
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
