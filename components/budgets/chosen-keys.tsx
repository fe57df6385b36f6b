'use client'

import { X } from 'lucide-react'
import { KeyPicker } from '../keys/key-picker'

export type ChosenKey = { id: number; name: string }

type Props = { keys: readonly ChosenKey[]; error?: string; onChange: (keys: ChosenKey[]) => void }

/** Keys that are chosen one after another. */
export function ChosenKeys({ keys, error, onChange }: Props) {
  return (
    <div className="grid gap-2">
      <KeyPicker
        label="Keys"
        hint="Only calls with these keys. None: with any key"
        value={null}
        none="Add a key"
        onChange={(key) => {
          if (key && !keys.some(({ id }) => id === key.id)) onChange([...keys, { id: key.id, name: key.name }])
        }}
      />
      {keys.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {keys.map(({ id, name }) => (
            <li key={id} className="inline-flex items-center gap-1 rounded border bg-sunken py-0.5 pr-1 pl-2">
              <bdi className="wrap-anywhere">{name}</bdi>
              <button
                type="button"
                aria-label={`Remove ${name}`}
                className="grid size-6 place-items-center rounded hover:bg-line"
                onClick={() => onChange(keys.filter((key) => key.id !== id))}
              >
                <X className="size-3.5" aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      {error && (
        <p role="alert" className="text-caption text-bad">
          {error}
        </p>
      )}
    </div>
  )
}
