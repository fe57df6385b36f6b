'use client'

import { useState } from 'react'
import { CheckOption, Field, Input } from '../ui/field'
import type { GrantedScopes, KeyOptions } from './options'
import { useKeyFields } from './use-key-form'

const ErrorText = ({ text }: { text: string | undefined }) =>
  text ? (
    <p role="alert" className="text-caption text-bad">
      {text}
    </p>
  ) : null

const NEEDS_NEW_KEY = 'This key may not. It takes a new key.'

/** Whether a key may use models, and which; of one that exists, within what it may use now. */
export function ModelChoice({ models, granted }: { models: KeyOptions['models']; granted?: GrantedScopes }) {
  const { values, errors, check, radio, member } = useKeyFields()
  const { llm, modelMode: mode, allowedModels: chosen } = values
  const [search, setSearch] = useState('')
  const own = granted && granted.allowedModels.length > 0 ? granted.allowedModels : null
  const open = models.filter(({ id }) => own === null || own.includes(id))
  const shown = open.filter(
    (m) => chosen.includes(m.id) || `${m.id} ${m.name}`.toLowerCase().includes(search.toLowerCase()),
  )
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-table font-medium">Models</legend>
      <CheckOption
        type="checkbox"
        {...check('llm')}
        label="Chat, embeddings and images"
        disabled={granted?.llm === false}
        note={
          granted?.llm === false
            ? NEEDS_NEW_KEY
            : models.length === 0
              ? 'No models are configured yet. The key can use them when they are.'
              : undefined
        }
      />
      {llm && models.length > 0 && (
        <div className="ml-6.5 grid gap-2">
          <CheckOption
            {...radio('modelMode', 'any')}
            label="Any model"
            note="Including models added later"
            disabled={own !== null}
          />
          <CheckOption {...radio('modelMode', 'some')} label="Selected models" />
          {mode === 'some' && (
            <div className="grid gap-2">
              <Input
                type="search"
                aria-label="Find a model"
                placeholder={`Search ${open.length} models`}
                value={search}
                onChange={(e) => setSearch(e.target.value)}
              />
              <div className="grid max-h-64 gap-1.5 overflow-y-auto rounded border p-3">
                {shown.map(({ id, name }) => (
                  <CheckOption
                    key={id}
                    {...member('allowedModels', id)}
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
          <ErrorText text={errors.allowedModels} />
        </div>
      )}
      {llm && (
        <CheckOption
          type="checkbox"
          {...check('strict')}
          label="Strict requests"
          note="What a model does not take is refused. Otherwise it is left out or clamped, and the response says so"
        />
      )}
      {llm && (
        <CheckOption
          type="checkbox"
          {...check('keepsResponses')}
          label="Keep responses"
          note="Encrypted, so that later requests of the Responses API can refer to them. Not with store: false"
        />
      )}
    </fieldset>
  )
}

type AgentChoiceProps = { capabilities: KeyOptions['capabilities']; granted?: GrantedScopes }

/** Whether a key may start agent runs, their spend limit and their capability groups. */
export function AgentChoice({ capabilities, granted }: AgentChoiceProps) {
  const { values, errors, check, text, member } = useKeyFields()
  const { agent, confined } = values
  const own = granted?.capabilities ?? null
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-table font-medium">Agents</legend>
      <CheckOption
        type="checkbox"
        {...check('agent')}
        label="Agent runs"
        disabled={granted?.agent === false}
        note={granted?.agent === false ? NEEDS_NEW_KEY : undefined}
      />
      {agent && (
        <div className="ml-6.5 grid gap-3">
          <Field
            label="Spend limit per job, in credits"
            hint="Over all turns of the conversation"
            error={errors.agentRunBudgetCredits}
            className="max-w-64"
          >
            {(control) => <Input {...control} {...text('agentRunBudgetCredits')} inputMode="numeric" className="num" />}
          </Field>
          {own ? (
            <p>Runs stay restricted to capability groups:</p>
          ) : (
            <CheckOption
              type="checkbox"
              {...check('confined')}
              label="Restrict runs to capability groups"
              note="Otherwise runs may use every enabled tool"
            />
          )}
          {confined && (
            <div className="ml-6.5 grid gap-1.5">
              {capabilities
                .filter(({ id }) => own === null || own.includes(id))
                .map(({ id, label }) => (
                  <CheckOption key={id} {...member('capabilities', id)} label={label} />
                ))}
              <ErrorText text={errors.capabilities} />
            </div>
          )}
        </div>
      )}
    </fieldset>
  )
}
