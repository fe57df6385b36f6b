'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'
import { Notice } from '../ui/page'

const WHAT =
  'Agents with the capability group “data” can query it. Reads run in a read-only transaction; every other statement waits for your approval, in its own words.'

function Disconnect({ label }: { label: string }) {
  const router = useRouter()
  const [isAsked, setAsked] = useState(false)
  const disconnect = useMutation(
    useTRPC().settings.disconnectDatabase.mutationOptions({ onSuccess: () => router.refresh() }),
  )
  return (
    <div className="grid gap-3">
      <p>
        Connected to <span className="num font-medium [overflow-wrap:anywhere]">{label}</span>. {WHAT}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {isAsked ? (
          <>
            <span className="text-table">Disconnect {label}?</span>
            <Button size="small" kind="destroy" busy={disconnect.isPending} onClick={() => disconnect.mutate()}>
              Disconnect
            </Button>
            <Button size="small" onClick={() => setAsked(false)}>
              Keep it
            </Button>
          </>
        ) : (
          <Button size="small" kind="danger" onClick={() => setAsked(true)}>
            Disconnect
          </Button>
        )}
      </div>
      <ActionError error={disconnect.error} kept="It is still connected." unsure="Load the page again to see." />
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
      <p className="text-muted">{WHAT} Its address is kept encrypted and never shown again.</p>
      <Field label="PostgreSQL URL" hint="postgresql://user:password@host:5432/name, reachable from the internet">
        {(told) => (
          <Input
            {...told}
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
      <ActionError error={connect.error} kept="Nothing was kept." unsure="Load the page again to see." />
      <div>
        <Button type="submit" busy={connect.isPending}>
          Try and connect
        </Button>
      </div>
    </form>
  )
}

/** The owner's own database: connected, to be connected, or not possible here. */
export function ConnectedDatabase({ label, canConnect }: { label: string | null; canConnect: boolean }) {
  if (label) return <Disconnect label={label} />
  if (!canConnect) {
    return (
      <Notice tone="warn">
        Databases cannot be connected here: the operator has to set ENCRYPTION_KEY, with which addresses are kept.
      </Notice>
    )
  }
  return <Connect />
}
