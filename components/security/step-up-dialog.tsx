'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useTRPC, useTRPCClient } from '../trpc'
import { Button, ButtonLink } from '../ui/button'
import { Field, Input } from '../ui/field'
import { ModalDialog } from '../ui/modal-dialog'
import { Notice } from '../ui/page'
import { Skeleton } from '../ui/skeleton'
import { passkeyErrorText, signWithPasskey } from './passkey-browser'
import type { ProofChoices } from './shape'
import { onSignedInAgain } from './signed-in-again'
import { answerStepUp } from './step-up'

type Way = 'password' | 'code'

const textOf = (error: Error | null): string | undefined =>
  error === null ? undefined : (passkeyErrorText(error) ?? error.message.replace(/^\w+: /, ''))

function ProofForm({ proofs, way }: { proofs: ProofChoices; way: Way }) {
  const { security } = useTRPCClient()
  const prove = useMutation({
    mutationFn: (given: string) =>
      way === 'password'
        ? security.proveByPassword.mutate({ password: given })
        : security.proveByCode.mutate({ code: given }),
    onSuccess: () => answerStepUp(true),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // The form of the page, which the dialog is inside of for React, is not sent.
    event.stopPropagation()
    prove.mutate(String(new FormData(event.currentTarget).get('proof') ?? ''))
  }
  const error = textOf(prove.error)
  return (
    <form onSubmit={submit} className="grid gap-3">
      {way === 'password' ? (
        <Field label="Password of this account" error={error}>
          {(control) => (
            <Input
              {...control}
              name="proof"
              type="password"
              autoComplete="current-password"
              maxLength={200}
              required
              autoFocus
            />
          )}
        </Field>
      ) : (
        <Field
          label={proofs.app ? 'Code of your authenticator app' : 'Recovery code'}
          hint={proofs.app && proofs.recoveryCode && 'Or a recovery code'}
          error={error}
        >
          {(control) => (
            <Input
              {...control}
              name="proof"
              autoComplete="one-time-code"
              inputMode={proofs.app ? 'numeric' : 'text'}
              maxLength={100}
              required
              autoFocus
              className="num"
            />
          )}
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" busy={prove.isPending}>
          Confirm
        </Button>
        <Button onClick={() => answerStepUp(false)}>Cancel</Button>
      </div>
    </form>
  )
}

function PasskeyProof({ isMain }: { isMain: boolean }) {
  const { security } = useTRPCClient()
  const prove = useMutation({
    mutationFn: async () =>
      security.proveByPasskey.mutate({ response: await signWithPasskey(await security.beginProof.mutate()) }),
    onSuccess: () => answerStepUp(true),
  })
  return (
    <div className="grid gap-2">
      {prove.error && <Notice tone="bad">{textOf(prove.error)}</Notice>}
      <Button kind={isMain ? 'primary' : 'plain'} busy={prove.isPending} onClick={() => prove.mutate()}>
        Use a passkey
      </Button>
    </div>
  )
}

/**
 * Signing in again at a provider is a proof, too: in another tab, so that this page keeps what was
 * typed. That tab says when it is done.
 */
function SignInAgain({ providers, isMain }: { providers: ProofChoices['providers']; isMain: boolean }) {
  useEffect(() => onSignedInAgain(() => answerStepUp(true)), [])
  return (
    <div className="grid gap-2">
      {providers.map(({ id, name }) => (
        <ButtonLink key={id} href={`/signin/again?provider=${id}`} target="_blank" kind={isMain ? 'primary' : 'plain'}>
          Sign in again with {name}
        </ButtonLink>
      ))}
      <p className="text-caption text-muted">It opens another tab. This page goes on once you are back from there.</p>
    </div>
  )
}

function Choices({ proofs }: { proofs: ProofChoices }) {
  const hasCode = proofs.app || proofs.recoveryCode
  const [way, setWay] = useState<Way>(proofs.password ? 'password' : 'code')
  const isAlone = !proofs.password && !hasCode && !proofs.passkey
  return (
    <>
      {(proofs.password || hasCode) && <ProofForm key={way} proofs={proofs} way={way} />}
      {proofs.passkey && <PasskeyProof isMain={!proofs.password && !hasCode} />}
      {!proofs.password && proofs.providers.length > 0 && <SignInAgain providers={proofs.providers} isMain={isAlone} />}
      {isAlone && proofs.providers.length === 0 && (
        <p className="text-muted">Sign out and in again: a fresh sign-in is a proof.</p>
      )}
      {!proofs.password && !hasCode && (
        <Button className="justify-self-start" onClick={() => answerStepUp(false)}>
          Cancel
        </Button>
      )}
      {proofs.password && hasCode && (
        <div>
          <Button
            size="small"
            kind="quiet"
            className="-ml-2.5"
            onClick={() => setWay(way === 'password' ? 'code' : 'password')}
          >
            {way === 'password' ? 'Use a code instead' : 'Use the password instead'}
          </Button>
        </div>
      )}
    </>
  )
}

/** Asks for the password or a second factor, over the page that waits for it. */
export function StepUpDialog() {
  const proofs = useQuery(useTRPC().security.proofs.queryOptions(undefined, { staleTime: 0 }))
  return (
    <ModalDialog
      label="Confirm that it is you"
      onClose={() => answerStepUp(false)}
      className="top-[14vh] w-[min(400px,calc(100vw-32px))] overflow-auto"
    >
      <div className="grid gap-4 p-5">
        <div>
          <h2 className="font-semibold">Confirm that it is you</h2>
          <p className="text-muted">This needs a fresh proof of who you are, once in ten minutes.</p>
        </div>
        {proofs.data && <Choices proofs={proofs.data} />}
        {proofs.isPending && <Skeleton className="h-9" />}
        {proofs.error && <Notice tone="bad">The service could not be reached. Close this and try again.</Notice>}
      </div>
    </ModalDialog>
  )
}
