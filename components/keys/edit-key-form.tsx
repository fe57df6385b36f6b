'use client'

import { useMutation } from '@tanstack/react-query'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import type { KeyView } from '@/server/keys/shape'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button, ButtonLink } from '../ui/button'
import { FormWithAside, Meaning } from '../ui/form-with-aside'
import { RestoredDraft } from '../ui/restored-draft'
import { useTimeZone } from '../ui/time-zone'
import { ChangeList } from './change-list'
import { CustomerChoice } from './customer-choice'
import { FormPart } from './form-part'
import { type KeyFormValues, keyFormGrants, valuesOfKey } from './form-values'
import { changesOfKey, describeKeyChanges } from './key-changes'
import { keyMeaning, type NamedClient } from './key-meaning'
import { LimitChoice } from './limit-choice'
import { NameFields } from './name-fields'
import type { KeyOptions } from './options'
import type { KeyFormErrors } from './parse-key-form'
import { AgentChoice, ModelChoice } from './scope-choice'
import { ToolChoice } from './tool-choice'
import { useFormDraft } from './use-form-draft'
import { KeyFormProvider, useKeyForm } from './use-key-form'

/** The field that shows an error about a setting of the key. */
const FIELD_OF: Record<string, keyof KeyFormValues> = { recurringBudget: 'recurringCredits', expiresAt: 'expiryDay' }

/** The service's errors, at the fields of the settings that they are about. */
const errorsOf = (issues: readonly { path: string; message: string }[]): KeyFormErrors =>
  Object.fromEntries(
    issues.map(({ path, message }) => {
      const setting = path.replace('changes.', '').split('.')[0] ?? ''
      return [FIELD_OF[setting] ?? setting, message]
    }),
  )

type Props = { of: KeyView; options: KeyOptions; creditsPerUsd: number; clients: readonly NamedClient[] }

/** Changes a key; says what will be different before it is saved. */
export function EditKeyForm({ of, options, creditsPerUsd, clients }: Props) {
  const router = useRouter()
  const place = { timeZone: useTimeZone(), keptExpiry: of.expiresAt }
  const first = valuesOfKey(of)
  const form = useKeyForm(first, {
    place,
    onSubmit: (key) => change.mutate({ id: of.id, changes: changesOfKey(of, key) }),
  })
  const draft = useFormDraft(`key ${of.id}`, form, first)
  const change = useMutation(
    useTRPC().keys.change.mutationOptions({
      onSuccess: () => {
        draft.forget()
        router.push(`/keys/${of.id}`)
        router.refresh()
      },
      onError: ({ data }) => form.refuse(errorsOf(data?.issues ?? [])),
    }),
  )
  const { error } = change
  const refused = error?.data?.issues ? { ...error, message: 'Fix the highlighted fields.' } : error
  const changes = 'key' in form.parsed ? changesOfKey(of, form.parsed.key) : null
  const lines = changes && describeKeyChanges(of, changes, { options, timeZone: place.timeZone })
  return (
    <KeyFormProvider value={form.fields}>
      <form {...form.form}>
        <FormWithAside
          aside={
            <>
              <h2 className="font-semibold">Changes</h2>
              <ChangeList lines={lines} />
              <ActionError error={refused} kept="Nothing was changed." unsure="Reload the page to see what is saved." />
              <div className="flex flex-wrap gap-2">
                <Button type="submit" kind="primary" busy={change.isPending} disabled={lines?.length === 0}>
                  Save changes
                </Button>
                <ButtonLink href={`/keys/${of.id}`} onClick={draft.forget}>
                  Cancel
                </ButtonLink>
              </div>
              <h2 className="border-t pt-3 font-semibold">What this key may do then</h2>
              <Meaning
                rows={keyMeaning(keyFormGrants(form.values, place), { options, creditsPerUsd, clients, ...place })}
              />
            </>
          }
        >
          {draft.isRestored && <RestoredDraft onDiscard={draft.discard} />}
          <FormPart title="Name">
            <NameFields />
          </FormPart>
          <FormPart title="Limits">
            <LimitChoice creditsPerUsd={creditsPerUsd} keptExpiry={of.expiresAt} />
          </FormPart>
          <FormPart title="Customers">
            <CustomerChoice bound={of.customer} />
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
        </FormWithAside>
      </form>
    </KeyFormProvider>
  )
}
