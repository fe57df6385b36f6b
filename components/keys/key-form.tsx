'use client'

import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import type { NewKey } from '@/server/keys/shape'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button, ButtonLink } from '../ui/button'
import { DraftNotice } from '../ui/draft-notice'
import { Field, Input } from '../ui/field'
import { useFormDraft } from '../ui/use-form-draft'
import { FormPart } from './form-part'
import { keyFormResolver } from './form-resolver'
import { DEFAULT_KEY_VALUES, type KeyFormValues, keyFormGrants } from './form-values'
import { LimitChoice } from './limit-choice'
import { NewSecret } from './new-secret'
import type { KeyOptions } from './options'
import { AgentChoice, ModelChoice } from './scope-choice'
import { summarizeGrants } from './summary'
import { ToolChoice } from './tool-choice'

type Props = { options: KeyOptions; baseUrl: string; creditsPerUsd: number }

/** Creates a key: its name, what it may call, how much it may spend. Then shows its secret once. */
export function KeyForm({ options, baseUrl, creditsPerUsd }: Props) {
  const trpc = useTRPC()
  const draft = useFormDraft('key')
  const create = useMutation(trpc.keys.create.mutationOptions({ onSuccess: draft.clear }))
  const form = useForm<KeyFormValues, unknown, NewKey>({
    resolver: keyFormResolver,
    defaultValues: DEFAULT_KEY_VALUES,
  })
  const values = useWatch({ control: form.control }) as KeyFormValues
  const top = useRef<HTMLDivElement>(null)
  const created = create.data
  useEffect(() => {
    if (created) top.current?.scrollIntoView({ block: 'center' })
  }, [created])

  if (created) {
    return (
      <div ref={top} className="max-w-[720px]">
        <NewSecret shown={created} baseUrl={baseUrl} models={options.models} title={`${created.name} is ready`} />
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
    <FormProvider {...form}>
      <form
        {...draft.form}
        noValidate
        onSubmit={form.handleSubmit((key) => create.mutate(key))}
        className="grid items-start gap-x-10 gap-y-4 lg:grid-cols-[minmax(0,640px)_minmax(260px,340px)]"
      >
        <div>
          <DraftNotice of={draft} />
          <FormPart title="Name">
            <Field label="Name" hint="Who or what will use the key" error={form.formState.errors.name?.message}>
              {(control) => (
                <Input {...control} {...form.register('name')} maxLength={80} autoComplete="off" autoFocus />
              )}
            </Field>
          </FormPart>
          <FormPart title="Access">
            <ToolChoice groups={options.groups} />
            <ModelChoice models={options.models} />
            <AgentChoice capabilities={options.capabilities} />
          </FormPart>
          <FormPart title="Limits">
            <LimitChoice creditsPerUsd={creditsPerUsd} />
          </FormPart>
        </div>
        <aside className="grid gap-3 rounded border bg-raised p-4 lg:sticky lg:top-20">
          <h2 className="font-semibold">Summary</h2>
          <p aria-live="polite" data-testid="summary">
            {summarizeGrants(keyFormGrants(values), options.groups)}
          </p>
          <p className="text-caption text-muted">These settings cannot be changed later.</p>
          <ActionError
            error={create.error}
            kept="No key was created."
            unsure="Check Keys before you try again. If the key is listed, revoke it: its secret is lost."
          />
          <Button type="submit" kind="primary" busy={create.isPending}>
            Create key
          </Button>
        </aside>
      </form>
    </FormProvider>
  )
}
