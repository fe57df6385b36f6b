'use client'

import { useActionState } from 'react'
import { Button } from '../ui/button'
import { Notice } from '../ui/page'

/** Why joining was refused. */
export type JoinState = { error?: string }

type Props = { action: () => Promise<JoinState>; email: string }

/** Joins as whoever is signed in: opening the link alone does nothing. Works without JavaScript. */
export function JoinForm({ action, email }: Props) {
  const [state, submit, busy] = useActionState<JoinState>(action, {})
  return (
    <form action={submit} className="grid gap-3">
      {state.error && !busy && <Notice tone="bad">{state.error}</Notice>}
      <p>
        You are signed in as <span className="font-medium [overflow-wrap:anywhere]">{email}</span>.
      </p>
      <Button type="submit" kind="primary" busy={busy}>
        Join account
      </Button>
    </form>
  )
}
