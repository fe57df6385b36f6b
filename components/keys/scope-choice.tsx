'use client'

import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { CheckOption, Field, Input } from '../ui/field'
import type { KeyFormValues } from './form-values'
import type { KeyOptions } from './options'

const ErrorText = ({ text }: { text: string | undefined }) =>
  text ? (
    <p role="alert" className="text-caption text-bad">
      {text}
    </p>
  ) : null

/** Whether a key may use models, and which. */
export function ModelChoice({ models }: { models: KeyOptions['models'] }) {
  const { register, control, formState } = useFormContext<KeyFormValues>()
  const [llm, mode, chosen] = useWatch({ control, name: ['llm', 'modelMode', 'allowedModels'] })
  const [search, setSearch] = useState('')
  const shown = models.filter(
    (m) => chosen.includes(m.id) || `${m.id} ${m.name}`.toLowerCase().includes(search.toLowerCase()),
  )
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-table font-medium">Models</legend>
      <CheckOption
        type="checkbox"
        {...register('llm')}
        label="Chat, embeddings and images"
        note={models.length === 0 ? 'No models are configured yet. The key can use them when they are.' : undefined}
      />
      {llm && models.length > 0 && (
        <div className="ml-6.5 grid gap-2">
          <CheckOption
            type="radio"
            value="any"
            {...register('modelMode')}
            label="Any model"
            note="Including models added later"
          />
          <CheckOption type="radio" value="some" {...register('modelMode')} label="Selected models" />
          {mode === 'some' && (
            <div className="grid gap-2">
              <Input
                type="search"
                aria-label="Find a model"
                placeholder={`Search ${models.length} models`}
                value={search}
                onChange={(e) => setSearch(e.target.value)}
              />
              <div className="grid max-h-64 gap-1.5 overflow-y-auto rounded border p-3">
                {shown.map(({ id, name }) => (
                  <CheckOption
                    key={id}
                    type="checkbox"
                    value={id}
                    {...register('allowedModels')}
                    label={
                      <>
                        {name} <span className="num text-caption text-muted">{id}</span>
                      </>
                    }
                  />
                ))}
                {shown.length === 0 && <p className="text-muted">No matching models</p>}
              </div>
            </div>
          )}
          <ErrorText text={formState.errors.allowedModels?.message} />
        </div>
      )}
    </fieldset>
  )
}

/** Whether a key may start agent runs, their spend limit and their capability groups. */
export function AgentChoice({ capabilities }: { capabilities: KeyOptions['capabilities'] }) {
  const { register, control, formState } = useFormContext<KeyFormValues>()
  const [agent, confined] = useWatch({ control, name: ['agent', 'confined'] })
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-table font-medium">Agents</legend>
      <CheckOption type="checkbox" {...register('agent')} label="Agent runs" />
      {agent && (
        <div className="ml-6.5 grid gap-3">
          <Field
            label="Spend limit per job, in credits"
            hint="Over all turns of the conversation"
            error={formState.errors.agentRunBudgetCredits?.message}
            className="max-w-64"
          >
            {(control) => (
              <Input {...control} {...register('agentRunBudgetCredits')} inputMode="numeric" className="num" />
            )}
          </Field>
          <CheckOption
            type="checkbox"
            {...register('confined')}
            label="Restrict runs to capability groups"
            note="Otherwise runs may use every enabled tool"
          />
          {confined && (
            <div className="ml-6.5 grid gap-1.5">
              {capabilities.map(({ id, label }) => (
                <CheckOption key={id} type="checkbox" value={id} {...register('capabilities')} label={label} />
              ))}
              <ErrorText text={formState.errors.capabilities?.message} />
            </div>
          )}
        </div>
      )}
    </fieldset>
  )
}
