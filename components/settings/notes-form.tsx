'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Textarea } from '../ui/field'
import { Notice } from '../ui/page'

/** Characters that notes may have, as the server counts them. */
const MAX_CHARS = 4_000

type NotesProps = {
  notes: string
  label: string
  hint: string
  /** Some of them was written after strangers' text was read. */
  isForeign?: boolean
  busy: boolean
  isSaved: boolean
  error: Parameters<typeof ActionError>[0]['error']
  onSave: (notes: string) => void
}

function NotesFields({ notes, label, hint, isForeign, busy, isSaved, error, onSave }: NotesProps) {
  const [text, setText] = useState(notes)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave(text)
  }
  return (
    <form onSubmit={submit} className="grid max-w-prose gap-3">
      {isForeign && (
        <Notice tone="warn">A run wrote some of this after it had read text by strangers. Check it.</Notice>
      )}
      <Field label={label} hint={`${hint} ${text.length} of ${MAX_CHARS} characters.`}>
        {(control) => (
          <Textarea
            {...control}
            rows={6}
            maxLength={MAX_CHARS}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <ActionError error={error} kept="Nothing was changed." unsure="Reload the page to see the notes as they are." />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" busy={busy}>
          Save notes
        </Button>
        {isSaved && <Notice tone="good">Saved. The next run is given them.</Notice>}
      </div>
    </form>
  )
}

/** The notes that every run of the account is given. */
export function OwnerNotesForm({ notes, isForeign }: { notes: string; isForeign: boolean }) {
  const [before, setBefore] = useState(notes)
  const { mutate, ...save } = useMutation(
    useTRPC().settings.saveNotes.mutationOptions({ onSuccess: (saved) => setBefore(saved.notes) }),
  )
  return (
    <NotesFields
      {...{ notes, error: save.error, busy: save.isPending, isSaved: save.isSuccess }}
      label="What every run should know"
      hint="Language, units, preferences, facts. No passwords."
      isForeign={isForeign && !save.isSuccess}
      onSave={(text) => mutate({ notes: text.trim(), before })}
    />
  )
}

/** The notes that the runs of a schedule keep for the next one. */
export function ScheduleNotesForm(of: { scheduleId: string; keyId: number; notes: string }) {
  const router = useRouter()
  const { mutate, ...save } = useMutation(
    useTRPC().schedules.change.mutationOptions({ onSuccess: () => router.refresh() }),
  )
  const { scheduleId, keyId, notes } = of
  return (
    <NotesFields
      {...{ notes, error: save.error, busy: save.isPending, isSaved: save.isSuccess }}
      label="For the next run"
      hint="Its runs write this and are given it. Empty it to begin anew."
      onSave={(text) => mutate({ scheduleId, keyId, notes: text.trim() })}
    />
  )
}
