'use client'

import { Field, Input, Select } from '../ui/field'
import { NumberField } from '../ui/number-field'
import { cronOf, type Preset, type PresetKind, WEEKDAYS } from './preset'

const KINDS: Record<PresetKind, string> = {
  hourly: 'Every hour',
  daily: 'Every day',
  weekdays: 'Monday to Friday',
  weekly: 'Every week',
  monthly: 'Every month',
  custom: 'Cron expression',
}
const DAYS = Array.from({ length: 31 }, (_, i) => i + 1)

type Props = {
  preset: Preset
  timeZone: string
  timeZones: readonly string[]
  cronError: string | undefined
  onPreset: (change: Partial<Preset>) => void
  onTimeZone: (timeZone: string) => void
}

/** When a schedule is due: a preset or a cron expression, and a time zone. */
export function WhenFields({ preset, timeZone, timeZones, cronError, onPreset, onTimeZone }: Props) {
  const { kind } = preset
  const cron = cronOf(preset)
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label="Repeat">
          {(control) => (
            <Select
              {...control}
              name="repeat"
              value={kind}
              onChange={({ target }) => onPreset({ kind: target.value as PresetKind, ...(cron && { cron }) })}
            >
              {Object.entries(KINDS).map(([id, word]) => (
                <option key={id} value={id}>
                  {word}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {kind === 'weekly' && (
          <Field label="Day of the week">
            {(control) => (
              <Select
                {...control}
                name="weekday"
                value={preset.weekday}
                onChange={({ target }) => onPreset({ weekday: Number(target.value) })}
              >
                {WEEKDAYS.map((word, i) => (
                  <option key={word} value={i}>
                    {word}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {kind === 'monthly' && (
          <Field label="Day of the month" hint={preset.day > 28 ? 'Months without this day are left out' : undefined}>
            {(control) => (
              <Select
                {...control}
                name="day"
                value={preset.day}
                onChange={({ target }) => onPreset({ day: Number(target.value) })}
              >
                {DAYS.map((day) => (
                  <option key={day}>{day}</option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {kind === 'custom' && (
          <Field
            label="Cron expression"
            hint="Minute, hour, day of the month, month, day of the week"
            error={cronError}
            className="sm:col-span-2"
          >
            {(control) => (
              <Input
                {...control}
                name="cron"
                value={preset.cron}
                onChange={({ target }) => onPreset({ cron: target.value })}
                maxLength={100}
                required
                autoCapitalize="off"
                spellCheck={false}
                className="num"
              />
            )}
          </Field>
        )}
        {kind === 'hourly' && (
          <NumberField
            label="Minute"
            name="minute"
            min={0}
            max={59}
            required
            value={Number(preset.time.slice(3))}
            onChange={({ target }) => onPreset({ time: `00:${target.value.padStart(2, '0')}` })}
          />
        )}
        {kind !== 'custom' && kind !== 'hourly' && (
          <Field label="Time">
            {(control) => (
              <Input
                {...control}
                name="time"
                type="time"
                required
                value={preset.time}
                onChange={({ target }) => onPreset({ time: target.value })}
              />
            )}
          </Field>
        )}
      </div>
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label="Time zone">
          {(control) => (
            <Select {...control} name="timeZone" value={timeZone} onChange={({ target }) => onTimeZone(target.value)}>
              {timeZones.map((name) => (
                <option key={name} value={name}>
                  {name.replaceAll('_', ' ')}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </div>
  )
}
