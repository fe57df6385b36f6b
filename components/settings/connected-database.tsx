'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'
import { Notice } from '../ui/page'

const EXPLANATION =
  'Agents with the capability group “data” can query it. Reads run in a read-only transaction; every other statement waits for your approval, which shows it in full.'

function Disconnect({ label }: { label: string }) {
  const router = useRouter()
  const [isConfirming, setConfirming] = useState(false)
  const disconnect = useMutation(
    useTRPC().settings.disconnectDatabase.mutationOptions({ onSuccess: () => router.refresh() }),
  )
  return (
    <div className="grid gap-3">
      <p>
        Connected to <span className="num font-medium [overflow-wrap:anywhere]">{label}</span>. {EXPLANATION}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {isConfirming ? (
          <>
            <span className="text-table">Disconnect {label}?</span>
            <Button size="small" kind="destroy" busy={disconnect.isPending} onClick={() => disconnect.mutate()}>
              Disconnect database
            </Button>
            <Button size="small" onClick={() => setConfirming(false)}>
              Cancel
            </Button>
          </>
        ) : (
          <Button size="small" kind="danger" onClick={() => setConfirming(true)}>
            Disconnect database
          </Button>
        )}
      </div>
      <ActionError error={disconnect.error} kept="It is still connected." unsure="Reload the page to see." />
    </div>
  )
}

function Connect() {
  const router = useRouter()
  const connect = useMutation(useTRPC().settings.connectDatabase.mutationOptions({ onSuccess: () => router.refresh() }))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    connect.mutate({ url: String(new FormData(event.currentTarget).get('url') ?? '') })
  }
  return (
    <form onSubmit={submit} className="grid gap-3">
      <p className="text-muted">{EXPLANATION} Its address is stored encrypted and never shown again.</p>
      <Field label="PostgreSQL URL" hint="postgresql://user:password@host:5432/name, reachable from the internet">
        {(control) => (
          <Input
            {...control}
            name="url"
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
            maxLength={2_000}
            className="num"
          />
        )}
      </Field>
      <ActionError error={connect.error} kept="Nothing was saved." unsure="Reload the page to see." />
      <div>
        <Button type="submit" busy={connect.isPending}>
          Connect database
        </Button>
      </div>
    </form>
  )
}

/** The owner's database: connected, not connected, or not possible here. */
export function ConnectedDatabase({ label, canConnect }: { label: string | null; canConnect: boolean }) {
  if (label) return <Disconnect label={label} />
  if (!canConnect) {
    return (
      <Notice tone="warn">
        Databases cannot be connected here: the operator must set ENCRYPTION_KEY, which encrypts their addresses.
      </Notice>
    )
  }
  return <Connect />
}
