'use client'

import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button, ButtonLink } from '../ui/button'
import { FormWithAside, Meaning } from '../ui/form-with-aside'
import { RestoredDraft } from '../ui/restored-draft'
import { useTimeZone } from '../ui/time-zone'
import { CustomerChoice } from './customer-choice'
import { FormPart } from './form-part'
import { DEFAULT_KEY_VALUES, type KeyFormValues, keyFormGrants } from './form-values'
import { keyMeaning, type NamedClient } from './key-meaning'
import { LimitChoice } from './limit-choice'
import { NameFields } from './name-fields'
import { NewSecret } from './new-secret'
import type { KeyOptions } from './options'
import { PresetChoice } from './preset-choice'
import { keyPresetOf } from './presets'
import { AgentChoice, ModelChoice } from './scope-choice'
import { ToolChoice } from './tool-choice'
import { useFormDraft } from './use-form-draft'
import { KeyFormProvider, useKeyForm } from './use-key-form'

type Props = {
  options: KeyOptions
  baseUrl: string
  creditsPerUsd: number
  /** The programs of the Connect page. */
  clients: readonly NamedClient[]
  /** What the form begins with. */
  first?: KeyFormValues
}

/** Creates a key: its name, what it may call, how much it may spend. Then shows its secret once. */
export function KeyForm({ options, baseUrl, creditsPerUsd, clients, first = DEFAULT_KEY_VALUES }: Props) {
  const timeZone = useTimeZone()
  const create = useMutation(useTRPC().keys.create.mutationOptions({ onSuccess: () => draft.forget() }))
  const form = useKeyForm(first, { place: { timeZone }, onSubmit: (key) => create.mutate(key) })
  const draft = useFormDraft('new key', form, first)
  const top = useRef<HTMLDivElement>(null)
  const created = create.data
  useEffect(() => {
    if (created) top.current?.scrollIntoView({ block: 'center' })
  }, [created])

  if (created) {
    return (
      <div ref={top} className="max-w-[720px]">
        <NewSecret
          shown={created}
          baseUrl={baseUrl}
          options={options}
          title={`${created.name} is ready`}
          client={keyPresetOf(form.values)?.client}
        />
        <div className="mt-5 flex gap-2">
          <ButtonLink kind="primary" href={`/keys/${created.id}`}>
            Done
          </ButtonLink>
          <ButtonLink href="/keys">All keys</ButtonLink>
        </div>
      </div>
    )
  }
  return (
    <KeyFormProvider value={form.fields}>
      <form {...form.form}>
        <FormWithAside
          aside={
            <>
              <h2 className="font-semibold">What this key may do</h2>
              <Meaning
                rows={keyMeaning(keyFormGrants(form.values, { timeZone }), {
                  ...{ options, creditsPerUsd, timeZone, clients },
                })}
              />
              <p className="text-caption text-muted">
                Name, tags and limits can be changed later. What the key may call can be narrowed, not widened.
              </p>
              <ActionError
                error={create.error}
                kept="No key was created."
                unsure="Check Keys before you try again. If the key is listed, revoke it: its secret is lost."
              />
              <Button type="submit" kind="primary" busy={create.isPending}>
                Create key
              </Button>
            </>
          }
        >
          {draft.isRestored && <RestoredDraft onDiscard={draft.discard} />}
          <FormPart title="Name">
            <NameFields autoFocus />
          </FormPart>
          <FormPart title="Access">
            <PresetChoice />
            <ToolChoice groups={options.groups} />
            <ModelChoice models={options.models} />
            <AgentChoice capabilities={options.capabilities} />
          </FormPart>
          <FormPart title="Customers">
            <CustomerChoice />
          </FormPart>
          <FormPart title="Limits">
            <LimitChoice creditsPerUsd={creditsPerUsd} />
          </FormPart>
        </FormWithAside>
      </form>
    </KeyFormProvider>
  )
}
