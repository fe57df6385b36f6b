'use client'

import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { FormProvider, type Resolver, useForm, useWatch } from 'react-hook-form'
import type { NewKey } from '@/server/keys/shape'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button, ButtonLink } from '../ui/button'
import { Field, Input } from '../ui/field'
import { DEFAULT_KEY_VALUES, type KeyFormValues, keyFormGrants, parseKeyForm } from './form-values'
import { LimitChoice } from './limit-choice'
import { NewSecret } from './new-secret'
import type { KeyOptions } from './options'
import { AgentChoice, ModelChoice } from './scope-choice'
import { summarizeGrants } from './summary'
import { ToolChoice } from './tool-choice'

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid gap-5 border-t py-6 first:border-t-0 first:pt-0">
    <h2 className="font-semibold">{title}</h2>
    {children}
  </section>
)

/** The form's rules in the shape of the form library. */
const resolver: Resolver<KeyFormValues, unknown, NewKey> = (values) => {
  const result = parseKeyForm(values)
  if ('key' in result) return { values: result.key, errors: {} }
  const errors = Object.entries(result.errors).map(([field, message]) => [field, { type: 'invalid', message }])
  return { values: {}, errors: Object.fromEntries(errors) }
}

type Props = { options: KeyOptions; baseUrl: string; creditsPerUsd: number }

/** Creates a key: its name, what it may call, how much it may spend. Then shows its secret once. */
export function KeyForm({ options, baseUrl, creditsPerUsd }: Props) {
  const trpc = useTRPC()
  const create = useMutation(trpc.keys.create.mutationOptions())
  const form = useForm<KeyFormValues, unknown, NewKey>({ resolver, defaultValues: DEFAULT_KEY_VALUES })
  const values = useWatch({ control: form.control }) as KeyFormValues
  const top = useRef<HTMLDivElement>(null)
  const created = create.data
  useEffect(() => {
    if (created) top.current?.scrollIntoView({ block: 'center' })
  }, [created])

  if (created) {
    return (
      <div ref={top} className="max-w-[720px]">
        <NewSecret shown={created} baseUrl={baseUrl} title={`${created.name} is ready`} />
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
        noValidate
        onSubmit={form.handleSubmit((key) => create.mutate(key))}
        className="grid items-start gap-x-10 gap-y-4 lg:grid-cols-[minmax(0,640px)_minmax(260px,340px)]"
      >
        <div>
          <Part title="Name">
            <Field label="Name" hint="Who or what will use the key" error={form.formState.errors.name?.message}>
              {(control) => (
                <Input {...control} {...form.register('name')} maxLength={80} autoComplete="off" autoFocus />
              )}
            </Field>
          </Part>
          <Part title="Access">
            <ToolChoice groups={options.groups} />
            <ModelChoice models={options.models} />
            <AgentChoice capabilities={options.capabilities} />
          </Part>
          <Part title="Limits">
            <LimitChoice creditsPerUsd={creditsPerUsd} />
          </Part>
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
