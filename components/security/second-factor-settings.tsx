'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { CopyButton } from '../ui/copy'
import { Card, Notice, Section } from '../ui/page'
import { AuthenticatorApp } from './authenticator-app'
import { Passkeys } from './passkeys'
import type { FactorOverview } from './shape'

/** Recovery codes, shown this once. */
function NewRecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <section aria-label="Recovery codes" className="grid gap-3 rounded border border-warn bg-raised p-4">
      <p>
        <strong className="font-semibold">Keep these recovery codes.</strong> Each replaces a second factor once. They
        are shown now and never again.
      </p>
      <ul className="num grid grid-cols-[repeat(auto-fill,minmax(12.5rem,1fr))] gap-1" data-testid="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} label="Copy codes" />
        <Button size="small" kind="primary" onClick={onDone}>
          I have kept them
        </Button>
      </div>
    </section>
  )
}

/** Called when second factors have changed, with recovery codes where they are new. */
export type FactorChange = (recoveryCodes: readonly string[] | null) => void

function RecoveryCodes({ left, onMade }: { left: number; onMade: FactorChange }) {
  const make = useMutation(
    useTRPC().security.makeRecoveryCodes.mutationOptions({ onSuccess: ({ recoveryCodes }) => onMade(recoveryCodes) }),
  )
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className={left < 3 ? 'text-warn' : undefined}>{left === 1 ? '1 code is left' : `${left} codes are left`}</p>
        <Button size="small" busy={make.isPending} onClick={() => make.mutate()}>
          Make new codes
        </Button>
      </div>
      <p className="text-caption text-muted">New codes replace those you have.</p>
      <ActionError error={make.error} kept="Your codes are unchanged." unsure="Make them again." />
    </div>
  )
}

/** Passkeys, authenticator app and recovery codes. `onKept`: where to go once those were kept. */
export function SecondFactorSettings({ of, onKept }: { of: FactorOverview; onKept?: string }) {
  const router = useRouter()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const change: FactorChange = (made) => {
    if (made) setCodes(made)
    router.refresh()
  }
  const close = () => {
    setCodes(null)
    if (onKept) router.push(onKept)
  }
  const hasFactor = of.passkeys.length > 0 || of.appSince !== null
  return (
    <div className="grid max-w-[760px] gap-8">
      {codes && <NewRecoveryCodes codes={codes} onDone={close} />}
      {of.isRequired && !hasFactor && (
        <Notice tone="warn">A second factor is needed here: a passkey or an authenticator app.</Notice>
      )}
      <Section title="Passkeys">
        <Card>
          <Passkeys passkeys={of.passkeys} origin={of.passkeyOrigin} onChange={change} />
        </Card>
      </Section>
      <Section title="Authenticator app">
        <Card>
          <AuthenticatorApp since={of.appSince} canUse={of.canUseApp} onChange={change} />
        </Card>
      </Section>
      {hasFactor && (
        <Section title="Recovery codes">
          <Card>
            <RecoveryCodes left={of.recoveryCodes} onMade={change} />
          </Card>
        </Section>
      )}
    </div>
  )
}
