'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ManagementScope } from '@/server/keys/shape'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button, ButtonLink } from '../ui/button'
import { CopyBox } from '../ui/copy'
import { CheckOption, Field, Input } from '../ui/field'
import { useTimeZone } from '../ui/time-zone'
import { FormPart } from './form-part'
import { DEFAULT_KEY_VALUES } from './form-values'
import { LimitChoice } from './limit-choice'
import { NameFields } from './name-fields'
import { Secret } from './new-secret'
import type { KeyOptions } from './options'
import type { FormKey } from './parse-key-form'
import { AgentChoice, ModelChoice } from './scope-choice'
import { MANAGED } from './scopes'
import { ToolChoice } from './tool-choice'
import { KeyFormProvider, useKeyForm } from './use-key-form'

type Props = { options: KeyOptions; baseUrl: string; creditsPerUsd: number }

/** The most that a key may have, from the form of an ordinary key. */
const templateOf = ({ tools, llm, allowedModels, agent, agentRunBudgetCredits, capabilities, ...limits }: FormKey) => ({
  ...{ tools, llm, allowedModels, agent, agentRunBudgetCredits },
  ...(capabilities && { capabilities }),
  ...(limits.budget && { budget: limits.budget }),
  ...(limits.recurringBudget && { recurringBudget: limits.recurringBudget }),
  rpm: limits.rpm,
})

const firstRequest = (baseUrl: string, secret: string) =>
  `curl ${baseUrl}/api/v1/manage/keys \\\n  -H "Authorization: Bearer ${secret}"`

/** Creates a management key: what it may manage, and within what. Then shows its secret once. */
export function ManagementForm({ options, baseUrl, creditsPerUsd }: Props) {
  const timeZone = useTimeZone()
  const [scopes, setScopes] = useState<ManagementScope[]>(['keys'])
  const [tag, setTag] = useState('')
  const [isBounded, setBounded] = useState(false)
  const create = useMutation(useTRPC().keys.createManagement.mutationOptions())
  const form = useKeyForm(DEFAULT_KEY_VALUES, {
    place: { timeZone },
    onSubmit: (key) =>
      create.mutate({
        ...{ name: key.name, tags: key.tags, scopes, tag: tag.trim() || null },
        template: isBounded ? templateOf(key) : null,
        expiresAt: isBounded ? key.expiresAt : null,
      }),
  })
  if (create.data) {
    const { name, id, key } = create.data
    return (
      <div className="grid max-w-[720px] gap-5">
        <Secret title={`${name} is ready`} secret={key} />
        <CopyBox label="First request" code={firstRequest(baseUrl, key)} />
        <div className="flex gap-2">
          <ButtonLink kind="primary" href={`/keys/${id}`}>
            Done
          </ButtonLink>
          <ButtonLink href="/keys">All keys</ButtonLink>
        </div>
      </div>
    )
  }
  const toggle = (scope: ManagementScope) =>
    setScopes((now) => (now.includes(scope) ? now.filter((one) => one !== scope) : [...now, scope]))
  return (
    <KeyFormProvider value={form.fields}>
      <form {...form.form} className="max-w-[640px]">
        <FormPart title="Name">
          <NameFields autoFocus />
        </FormPart>
        <FormPart title="What it manages">
          <fieldset className="grid gap-2">
            <legend className="sr-only">Scopes</legend>
            {MANAGED.map(({ id, label, note }) => (
              <CheckOption
                key={id}
                type="checkbox"
                checked={scopes.includes(id)}
                onChange={() => toggle(id)}
                label={label}
                note={note}
              />
            ))}
          </fieldset>
          <Field label="Only keys with the tag" hint="Keys that it makes get the tag. Empty: every key of the account">
            {(control) => (
              <Input
                {...control}
                value={tag}
                onChange={(e) => setTag(e.target.value)}
                maxLength={40}
                autoComplete="off"
              />
            )}
          </Field>
          <CheckOption
            type="checkbox"
            checked={isBounded}
            onChange={(e) => setBounded(e.target.checked)}
            label="Bound what its keys may have"
            note="Access and limits below are the most that a key it makes may have"
          />
        </FormPart>
        {isBounded && (
          <>
            <FormPart title="Access of its keys">
              <ToolChoice groups={options.groups} />
              <ModelChoice models={options.models} />
              <AgentChoice capabilities={options.capabilities} />
            </FormPart>
            <FormPart title="Limits of its keys">
              <LimitChoice creditsPerUsd={creditsPerUsd} />
            </FormPart>
          </>
        )}
        <div className="grid justify-items-start gap-3 border-t pt-6">
          {scopes.length === 0 && <p className="text-muted">Choose at least one thing that it manages.</p>}
          <ActionError
            error={create.error}
            kept="No key was created."
            unsure="Check Keys before you try again. If the key is listed, revoke it: its secret is lost."
          />
          <Button type="submit" kind="primary" busy={create.isPending} disabled={scopes.length === 0}>
            Create management key
          </Button>
        </div>
      </form>
    </KeyFormProvider>
  )
}
