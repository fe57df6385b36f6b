'use client'

import { useState } from 'react'
import { Field, Select } from '../ui/field'
import { NumberField } from '../ui/number-field'
import type { Schedule } from './shape'

const CHOICES: Record<Schedule['whenWaiting'], string> = {
  skip: 'Skip the times that come',
  queue: 'Queue them, at most ten',
  answer_no: 'Answer no after some hours',
}

/** How a schedule goes on while a run of it waits, as a sentence. */
export const conductText = ({ whenWaiting, answerNoAfterHours: hours }: Schedule): string =>
  whenWaiting === 'answer_no'
    ? `Answer no after ${hours} ${hours === 1 ? 'hour' : 'hours'}, and skip the times before`
    : CHOICES[whenWaiting]

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
            {Object.entries(CHOICES).map(([id, words]) => (
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
