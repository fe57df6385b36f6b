'use client'

import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { CopyButton } from '../ui/copy'
import { Field, Input } from '../ui/field'
import { TimeAgo } from '../ui/time-ago'
import type { FactorChange } from './second-factor-settings'

const UNCHANGED = 'Your second factors are unchanged.'

type Setup = { secret: string; uri: string; qr: string }

/** The code to scan, and the field for the first code of the app. */
function SetUp({ setup, onAdded, onCancel }: { setup: Setup; onAdded: FactorChange; onCancel: () => void }) {
  const confirm = useMutation(
    useTRPC().security.confirmApp.mutationOptions({ onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes) }),
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    confirm.mutate({ code: String(new FormData(event.currentTarget).get('code') ?? '') })
  }
  return (
    <div className="grid gap-4 sm:grid-cols-[auto_1fr]">
      {/* Scanners want dark on light, in both themes. */}
      {/** biome-ignore lint/performance/noImgElement: an image of a kilobyte that is in the page */}
      <img
        src={`data:image/svg+xml;utf8,${encodeURIComponent(setup.qr)}`}
        alt="QR code for your authenticator app"
        className="size-44 rounded border bg-[white]"
      />
      <form onSubmit={submit} className="grid content-start gap-3">
        <p className="text-muted">Scan the code with your app, or enter this secret there:</p>
        <p className="flex flex-wrap items-center gap-2">
          <code className="num wrap-anywhere" data-testid="app-secret">
            {setup.secret}
          </code>
          <CopyButton text={setup.secret} label="Copy secret" bare />
        </p>
        <Field
          label="Code that the app shows"
          error={confirm.error?.message.replace(/^\w+: /, '')}
          className="max-w-60"
        >
          {(control) => (
            <Input
              {...control}
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={20}
              required
              autoFocus
              className="num"
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" kind="primary" size="small" busy={confirm.isPending}>
            Add authenticator app
          </Button>
          <Button size="small" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </form>
    </div>
  )
}

type Props = { since: string | null; canUse: boolean; onChange: FactorChange }

/** The authenticator app of an owner: set up, or removed. */
export function AuthenticatorApp({ since, canUse, onChange }: Props) {
  const trpc = useTRPC()
  const begin = useMutation(trpc.security.beginApp.mutationOptions())
  const remove = useMutation(trpc.security.removeApp.mutationOptions({ onSuccess: () => onChange(null) }))
  if (since !== null) {
    return (
      <div className="grid gap-2">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p>
            Set up <TimeAgo at={since} />
          </p>
          <Button size="small" kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            Remove authenticator app
          </Button>
        </div>
        <ActionError error={remove.error} kept={UNCHANGED} unsure="Reload the page to see." />
      </div>
    )
  }
  if (!canUse) return <p className="text-muted">Not available: the operator has set no ENCRYPTION_KEY.</p>
  if (begin.data) {
    const added: FactorChange = (codes) => {
      begin.reset()
      onChange(codes)
    }
    return <SetUp setup={begin.data} onAdded={added} onCancel={begin.reset} />
  }
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-muted">An app on your phone that shows a new code every 30 seconds.</p>
      <ActionError error={begin.error} kept={UNCHANGED} unsure="Try again." />
      <Button size="small" busy={begin.isPending} onClick={() => begin.mutate()}>
        Set up authenticator app
      </Button>
    </div>
  )
}
