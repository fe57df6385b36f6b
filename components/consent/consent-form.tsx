'use client'

import { useMutation } from '@tanstack/react-query'
import type { OAuthFields } from '@/server/oauth/shape'
import { FormPart } from '../keys/form-part'
import { DEFAULT_KEY_VALUES, type KeyFormValues, keyFormGrants } from '../keys/form-values'
import { keyMeaning } from '../keys/key-meaning'
import { LimitChoice } from '../keys/limit-choice'
import type { KeyOptions } from '../keys/options'
import { AgentChoice, ModelChoice } from '../keys/scope-choice'
import { ToolChoice } from '../keys/tool-choice'
import { KeyFormProvider, useKeyForm } from '../keys/use-key-form'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Meaning } from '../ui/form-with-aside'
import { useTimeZone } from '../ui/time-zone'
import { ClientFacts, type ConsentAsk } from './client-facts'
import { ConnectedClients } from './connected-clients'

/** Tools, a spend limit, three months; models and agents where the client asked for them. */
const initialValues = ({ clientName, wants }: ConsentAsk): KeyFormValues => ({
  ...DEFAULT_KEY_VALUES,
  name: `${clientName} via OAuth`,
  llm: wants.llm,
  agent: wants.agent,
  limited: true,
  budget: '5000',
  expiry: '90',
})

type Props = { ask: ConsentAsk; request: OAuthFields; options: KeyOptions; creditsPerUsd: number }

/** Asks the owner what an application may do, and takes the answer to it. */
export function ConsentForm({ ask, request, options, creditsPerUsd }: Props) {
  const allow = useMutation(
    useTRPC().consent.allow.mutationOptions({ onSuccess: ({ redirectTo }) => window.location.assign(redirectTo) }),
  )
  const timeZone = useTimeZone()
  const form = useKeyForm(initialValues(ask), {
    place: { timeZone },
    onSubmit: ({ name: _ofTheService, budget, ...rest }) => {
      if (budget !== null) allow.mutate({ request, settings: { ...rest, budget } })
    },
  })
  if (allow.data) {
    return (
      <p role="status">
        Allowed. Your browser takes you back to <bdi>{ask.clientName}</bdi>. If it does not,{' '}
        <a href={allow.data.redirectTo} className="text-accent underline underline-offset-2">
          return by this link
        </a>{' '}
        within a minute. You can revoke the access in Keys.
      </p>
    )
  }
  return (
    <KeyFormProvider value={form.fields}>
      <form {...form.form}>
        <FormPart title="Who asks">
          <ClientFacts of={ask} />
        </FormPart>
        {ask.connected.length > 0 && (
          <FormPart title="Already connected">
            <ConnectedClients clients={ask.connected} />
          </FormPart>
        )}
        <FormPart title="What it may call">
          <ToolChoice groups={options.groups} />
          <ModelChoice models={options.models} />
          <AgentChoice capabilities={options.capabilities} />
        </FormPart>
        <FormPart title="How much it may spend">
          <LimitChoice creditsPerUsd={creditsPerUsd} needsBudget />
        </FormPart>
        <div className="grid gap-3 rounded border bg-raised p-4">
          <h2 className="font-semibold">What it may do then</h2>
          <Meaning rows={keyMeaning(keyFormGrants(form.values, { timeZone }), { options, creditsPerUsd, timeZone })} />
          <p className="text-caption text-muted">
            Creates the key “<bdi>{ask.clientName} via OAuth</bdi>” and gives the application access tokens for it, each
            valid for an hour and renewed while it uses them. You can revoke the key here or in Keys at any time.
          </p>
          <ActionError error={allow.error} kept="Nothing was allowed." unsure="Try again." />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" kind="primary" busy={allow.isPending}>
              Allow access
            </Button>
            <Button onClick={() => window.location.assign(ask.denyTo)}>Deny</Button>
          </div>
        </div>
      </form>
    </KeyFormProvider>
  )
}
