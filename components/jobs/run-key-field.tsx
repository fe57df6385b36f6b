'use client'

import { useRef, useState } from 'react'
import { KeyPicker } from '../keys/key-picker'
import { formatCredits } from '../ui/amount'
import { typeInto } from '../ui/type-into'
import type { RunKey } from './shape'

/** A choice among the keys that may start runs, as the field `key` of a form. */
export function RunKeyField({ first }: { first: RunKey }) {
  const [id, setId] = useState(first.id)
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className="min-w-0">
      <KeyPicker
        label="Key"
        value={id}
        name={id === first.id ? first.name : undefined}
        only={{ state: 'active', may: 'agent' }}
        noteOf={(key) => `${formatCredits(key.agentRunBudgetCredits)} credits a run`}
        // As if typed: the form's price and its draft follow.
        onChange={(key) => key && field.current && typeInto(field.current, String(key.id))}
      />
      <input ref={field} hidden name="key" value={id} onChange={({ target }) => setId(Number(target.value))} />
    </div>
  )
}
