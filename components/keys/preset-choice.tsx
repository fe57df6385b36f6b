import { formatCredits } from '../ui/amount'
import { PlainInput } from '../ui/field'
import { KEY_PRESETS, keyPresetOf } from './presets'
import { useKeyFields } from './use-key-form'

/** What the key is for, which fills in what it may call and spend. */
export function PresetChoice() {
  const { values, set } = useKeyFields()
  const chosen = keyPresetOf(values)
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-table font-medium">What is it for?</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {KEY_PRESETS.map((preset) => (
          <label
            key={preset.id}
            className="grid cursor-pointer content-start gap-0.5 rounded border border-line bg-raised px-3 py-2 hover:border-line-strong has-checked:border-accent has-checked:bg-accent-weak has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <PlainInput
              type="radio"
              name="preset"
              aria-label={preset.label}
              aria-describedby={`preset-${preset.id}`}
              checked={chosen?.id === preset.id}
              onChange={() => set(preset.values)}
              className="sr-only"
            />
            <span className="font-medium">{preset.label}</span>
            <span id={`preset-${preset.id}`} className="text-caption text-muted">
              {preset.about} {formatCredits(Number(preset.values.recurringCredits))} credits a month.
            </span>
          </label>
        ))}
      </div>
      <p className="text-caption text-muted">
        It fills in the fields below, which can be changed{chosen ? '.' : '. What is there now is your own choice.'}
      </p>
    </fieldset>
  )
}
