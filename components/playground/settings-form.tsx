import { type ReactNode, useState } from 'react'
import type { OfferedModel } from '@/server/models/shape'
import { matchesWords } from '../models/filter-models'
import { formatCredits } from '../ui/amount'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { Combobox } from '../ui/combobox'
import { Field, Input } from '../ui/field'
import type { checkChatSettings } from './request'
import type { ChatSettings } from './turn'

type Props = {
  models: readonly OfferedModel[]
  settings: ChatSettings
  wrong: ReturnType<typeof checkChatSettings>
  onChange: (settings: ChatSettings) => void
  children: ReactNode
}

/** The model and its parameters. On a phone only the model is visible at first. */
export function SettingsForm({ models, settings, wrong, onChange, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const model = models.find(({ id }) => id === settings.model)
  const set = (field: keyof ChatSettings) => (value: string) => onChange({ ...settings, [field]: value })
  return (
    <div className="grid gap-4">
      <Combobox
        label="Model"
        options={models.map(({ id, name, provider, vision }) => ({
          id,
          label: name,
          group: provider,
          note: vision ? 'vision' : undefined,
          words: `${id} ${name} ${provider} ${vision ? 'vision' : ''}`,
        }))}
        value={settings.model}
        onChange={set('model')}
        matches={matchesWords}
        hint={
          model && (
            <>
              <span className="num">{formatCredits(model.creditsPer1mInput)}</span> credits in,{' '}
              <span className="num">{formatCredits(model.creditsPer1mOutput)}</span> out per 1M tokens;{' '}
              <span className="num">{formatCredits(model.contextSize)}</span> tokens of context
              {model.vision ? '; takes images' : '; no images'}
            </>
          )
        }
      />
      <Button
        size="small"
        className="justify-self-start lg:hidden"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Fewer settings' : 'More settings'}
      </Button>
      <div className={cn('grid gap-4', !isOpen && 'max-lg:hidden')}>
        <Field label="System prompt">
          {(control) => (
            <textarea
              {...control}
              rows={4}
              value={settings.system}
              onChange={(e) => set('system')(e.target.value)}
              placeholder="None"
              className="w-full resize-y rounded border border-line-strong bg-raised px-2.5 py-1.5 placeholder:text-muted"
            />
          )}
        </Field>
        <div className="grid grid-cols-2 gap-3">
          <Field label="Temperature" error={wrong.temperature} hint="0 to 2">
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                placeholder="Model’s default"
                value={settings.temperature}
                onChange={(e) => set('temperature')(e.target.value)}
              />
            )}
          </Field>
          <Field
            label="Max output"
            error={wrong.maxOutput}
            hint={model && `Tokens, up to ${formatCredits(model.maxOutput)}`}
          >
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                placeholder="No limit"
                value={settings.maxOutput}
                onChange={(e) => set('maxOutput')(e.target.value)}
              />
            )}
          </Field>
        </div>
        {children}
      </div>
    </div>
  )
}
