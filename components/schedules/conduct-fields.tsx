'use client'

import { useState } from 'react'
import { Field, Select } from '../ui/field'
import { NumberField } from '../ui/number-field'
import { WHEN_WAITING } from './labels'
import type { Schedule } from './shape'

/** What a schedule does while a run waits for an answer, as fields of a form. */
export function ConductFields({ of }: { of?: Schedule }) {
  const [choice, setChoice] = useState(of?.whenWaiting ?? 'skip')
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <Field label="While a run waits for your answer">
        {(control) => (
          <Select
            {...control}
            name="whenWaiting"
            value={choice}
            onChange={({ target }) => setChoice(target.value as Schedule['whenWaiting'])}
          >
            {Object.entries(WHEN_WAITING).map(([id, words]) => (
              <option key={id} value={id}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {choice === 'answer_no' && (
        <NumberField
          label="Hours"
          name="answerNoAfterHours"
          min={1}
          max={720}
          required
          defaultValue={of?.answerNoAfterHours ?? 24}
        />
      )}
    </div>
  )
}
