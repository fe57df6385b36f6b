'use client'

import { useState, useTransition } from 'react'
import { passkeyErrorText, signWithPasskey } from '../security/passkey-browser'
import { Button } from '../ui/button'
import { Notice } from '../ui/page'

type Refused = { error: string }

/** The two calls of a sign-in by passkey; `isSecond`: after another factor. */
export type PasskeyActions = {
  ask: (isSecond: boolean) => Promise<{ asked: unknown } | Refused>
  give: (given: { response: unknown; isSecond: boolean; next: string }) => Promise<Refused>
}

type Props = PasskeyActions & { isSecond: boolean; isMain?: boolean; next: string }

/** Signs in by a passkey. */
export function PasskeySignIn({ ask, give, isSecond, isMain = false, next }: Props) {
  const [error, setError] = useState<string | null>(null)
  const [busy, start] = useTransition()
  const signIn = async () => {
    const question = await ask(isSecond)
    if ('error' in question) return question.error
    const response = await signWithPasskey(question.asked)
    return (await give({ response, isSecond, next })).error
  }
  const press = () =>
    start(async () => {
      setError(null)
      try {
        setError(await signIn())
      } catch (thrown) {
        // A redirect is thrown, too: Next follows it.
        const text = passkeyErrorText(thrown)
        if (text === null) throw thrown
        setError(text)
      }
    })
  return (
    <div className="grid gap-2">
      {error && !busy && <Notice tone="bad">{error}</Notice>}
      <Button kind={isMain ? 'primary' : 'plain'} busy={busy} onClick={press}>
        {isSecond ? 'Use a passkey' : 'Sign in with a passkey'}
      </Button>
    </div>
  )
}
