import { Plus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { OfferedModel } from '@/server/models/shape'
import { matchesWords } from '../models/filter-models'
import { formatCredits } from '../ui/amount'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { Combobox } from '../ui/combobox'
import { Field, Input, Textarea } from '../ui/field'
import { MAX_MODELS } from './kept-settings'
import type { checkChatSettings } from './request'
import type { ChatSettings } from './turn'

type Props = {
  models: readonly OfferedModel[]
  settings: ChatSettings
  wrong: ReturnType<typeof checkChatSettings>
  onChange: (settings: ChatSettings) => void
  children: ReactNode
}

/** The models and their parameters. On a phone only the models are visible at first. */
export function SettingsForm({ models, settings, wrong, onChange, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const set = (field: 'system' | 'temperature' | 'maxOutput') => (value: string) =>
    onChange({ ...settings, [field]: value })
  const chosen = settings.models
  const choose = (at: number, id: string) =>
    onChange({ ...settings, models: [...new Set(chosen.map((one, i) => (i === at ? id : one)))] })
  const next = models.find(({ id }) => !chosen.includes(id))
  const limits = models.filter(({ id }) => chosen.includes(id)).map(({ maxOutput }) => maxOutput)
  return (
    <div className="grid gap-4">
      {chosen.map((id, at) => (
        <div key={id} className="relative">
          <ModelChoice
            label={at === 0 ? 'Model' : `Model ${at + 1}`}
            models={models}
            value={id}
            onChange={(to) => choose(at, to)}
          />
          {chosen.length > 1 && (
            <Button
              kind="quiet"
              size="icon"
              aria-label={`Remove ${id}`}
              className="absolute -top-1.5 right-0 size-6"
              onClick={() => onChange({ ...settings, models: chosen.filter((one) => one !== id) })}
            >
              <X className="size-3.5" aria-hidden />
            </Button>
          )}
        </div>
      ))}
      {chosen.length < MAX_MODELS && next && (
        <Button
          size="small"
          className="justify-self-start"
          onClick={() => onChange({ ...settings, models: [...chosen, next.id] })}
        >
          <Plus className="size-3.5" aria-hidden />
          Compare with another model
        </Button>
      )}
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
            <Textarea
              {...control}
              rows={4}
              value={settings.system}
              onChange={(e) => set('system')(e.target.value)}
              placeholder="None"
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
            hint={limits.length > 0 && `Tokens, up to ${formatCredits(Math.min(...limits))}`}
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

type ChoiceProps = {
  label: string
  models: readonly OfferedModel[]
  value: string
  onChange: (id: string) => void
}

function ModelChoice({ label, models, value, onChange }: ChoiceProps) {
  const model = models.find(({ id }) => id === value)
  return (
    <Combobox
      label={label}
      options={models.map(({ id, name, provider, vision }) => ({
        id,
        label: name,
        group: provider,
        note: vision ? 'vision' : undefined,
        words: `${id} ${name} ${provider} ${vision ? 'vision' : ''}`,
      }))}
      value={value}
      onChange={onChange}
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
  )
}
