'use client'

import { useMutation } from '@tanstack/react-query'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import type { KeyView } from '@/server/keys/shape'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button, ButtonLink } from '../ui/button'
import { useTimeZone } from '../ui/time-zone'
import { ChangeList } from './change-list'
import { FormPart } from './form-part'
import { keyFormResolver } from './form-resolver'
import { type KeyFormValues, valuesOfKey } from './form-values'
import { changesOfKey, describeKeyChanges } from './key-changes'
import { LimitChoice } from './limit-choice'
import { NameFields } from './name-fields'
import type { KeyOptions } from './options'
import { type FormKey, parseKeyForm } from './parse-key-form'
import { RestoredDraft } from './restored-draft'
import { AgentChoice, ModelChoice } from './scope-choice'
import { ToolChoice } from './tool-choice'
import { useFormDraft } from './use-form-draft'

/** The field that shows an error about a setting of the key. */
const FIELD_OF: Record<string, keyof KeyFormValues> = { recurringBudget: 'recurringCredits', expiresAt: 'expiryDay' }

type Props = { of: KeyView; options: KeyOptions; creditsPerUsd: number }

/** Changes a key; says what will be different before it is saved. */
export function EditKeyForm({ of, options, creditsPerUsd }: Props) {
  const router = useRouter()
  const place = { timeZone: useTimeZone(), keptExpiry: of.expiresAt }
  const first = valuesOfKey(of)
  const form = useForm<KeyFormValues, unknown, FormKey>({ resolver: keyFormResolver(place), defaultValues: first })
  const draft = useFormDraft(`key ${of.id}`, form, first)
  const change = useMutation(
    useTRPC().keys.change.mutationOptions({
      onSuccess: () => {
        draft.forget()
        router.push(`/keys/${of.id}`)
        router.refresh()
      },
      onError: ({ data }) => {
        for (const { path, message } of data?.issues ?? []) {
          const setting = path.replace('changes.', '').split('.')[0] ?? ''
          const field = FIELD_OF[setting] ?? (setting in first ? (setting as keyof KeyFormValues) : null)
          if (field) form.setError(field, { message }, { shouldFocus: true })
        }
      },
    }),
  )
  const values = useWatch({ control: form.control }) as KeyFormValues
  const parsed = parseKeyForm({ ...first, ...values }, place)
  const changes = 'key' in parsed ? changesOfKey(of, parsed.key) : null
  const lines = changes && describeKeyChanges(of, changes, { options, timeZone: place.timeZone })
  const submit = form.handleSubmit((key) => change.mutate({ id: of.id, changes: changesOfKey(of, key) }))
  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={submit}
        className="grid items-start gap-x-10 gap-y-4 lg:grid-cols-[minmax(0,640px)_minmax(260px,340px)]"
      >
        <div>
          {draft.isRestored && <RestoredDraft onDiscard={draft.discard} />}
          <FormPart title="Name">
            <NameFields />
          </FormPart>
          <FormPart title="Limits">
            <LimitChoice creditsPerUsd={creditsPerUsd} keptExpiry={of.expiresAt} />
          </FormPart>
          <FormPart title="Access">
            <p className="text-muted">
              What the key may call can be narrowed. Widening takes a new key:{' '}
              <Link href={`/keys/new?from=${of.id}`} className="text-accent underline underline-offset-2">
                make one like this
              </Link>
              .
            </p>
            <ToolChoice groups={options.groups} granted={of} />
            <ModelChoice models={options.models} granted={of} />
            <AgentChoice capabilities={options.capabilities} granted={of} />
          </FormPart>
        </div>
        <aside className="grid gap-3 rounded border bg-raised p-4 lg:sticky lg:top-20">
          <h2 className="font-semibold">Changes</h2>
          <ChangeList lines={lines} />
          <ActionError
            error={change.error}
            kept="Nothing was changed."
            unsure="Reload the page to see what is saved."
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" kind="primary" busy={change.isPending} disabled={lines?.length === 0}>
              Save changes
            </Button>
            <ButtonLink href={`/keys/${of.id}`} onClick={draft.forget}>
              Cancel
            </ButtonLink>
          </div>
        </aside>
      </form>
    </FormProvider>
  )
}
