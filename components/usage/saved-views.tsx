'use client'

import { useMutation } from '@tanstack/react-query'
import { Bookmark, ChevronDown, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type FormEvent, useId, useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { AskOnce } from '../ui/ask-once'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { Field, Input } from '../ui/field'
import { Notice } from '../ui/page'
import type { ShownView } from './view-words'

/** As the server counts them. */
const MAX_VIEWS = 20
const MAX_QUERY = 2_000

type Props = {
  views: readonly ShownView[]
  /** The query of the page as it is now, and what that shows. */
  query: string
  words: string
}

/** The views of usage that a person keeps: a menu of them, and the form that adds this one. */
export function SavedViews({ views, query, words }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const now = views.find(({ isNow }) => isNow)
  return (
    <>
      <Button
        className="mb-3 h-8 max-w-full min-w-0 sm:ml-auto"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Bookmark className="size-4 shrink-0 text-muted" aria-hidden />
        <span className="min-w-0 truncate">{now ? `View: ${now.name}` : 'Saved views'}</span>
        {!now && views.length > 0 && <span className="num text-muted">{views.length}</span>}
        <ChevronDown className={cn('size-4 shrink-0 text-muted', isOpen && 'rotate-180')} aria-hidden />
      </Button>
      <section
        id={id}
        aria-label="Saved views"
        hidden={!isOpen}
        className="mb-4 min-w-0 basis-full rounded border bg-raised"
      >
        {isOpen && <Menu views={views} query={query} words={words} onOpen={() => setOpen(false)} />}
      </section>
    </>
  )
}

const Menu = ({ views, query, words, onOpen }: Props & { onOpen: () => void }) => (
  <>
    {views.length === 0 ? (
      <p className="border-b px-3 py-2.5 text-table text-muted">
        No views yet. A view keeps the days, the grouping and the filters of this page by a name. Only you see it.
      </p>
    ) : (
      <ul className="max-h-80 divide-y overflow-y-auto border-b">
        {views.map((view) => (
          <ViewRow key={view.name} view={view} onOpen={onOpen} />
        ))}
      </ul>
    )}
    <SaveForm isFull={views.length >= MAX_VIEWS} query={query} words={words} />
  </>
)

function ViewRow({ view: { name, href, words, isNow }, onOpen }: { view: ShownView; onOpen: () => void }) {
  const router = useRouter()
  const [isAsked, setAsked] = useState(false)
  const remove = useMutation(useTRPC().usage.removeView.mutationOptions({ onSuccess: () => router.refresh() }))
  if (isAsked)
    return (
      <li className="grid gap-2 px-3 py-2.5 text-table">
        <AskOnce
          error={remove.error}
          kept="The view was not deleted."
          unsure="Reload the page to see whether it is there."
          label="Delete view"
          isPending={remove.isPending}
          onConfirm={() => remove.mutate({ name })}
          onCancel={() => setAsked(false)}
        >
          Delete the view <strong className="font-semibold wrap-anywhere">{name}</strong>? No call is deleted.
        </AskOnce>
      </li>
    )
  return (
    <li className="relative flex items-center gap-2 py-1 pr-1 pl-3 hover:bg-sunken">
      <Link
        href={href}
        scroll={false}
        prefetch={false}
        aria-current={isNow ? 'true' : undefined}
        onClick={onOpen}
        className="min-w-0 flex-1 py-0.5 after:absolute after:inset-0"
      >
        <span className={cn('block wrap-anywhere', isNow && 'font-medium text-accent')}>{name}</span>
        <span className="block text-caption wrap-anywhere text-muted">{words}</span>
      </Link>
      <Button
        kind="quiet"
        size="icon"
        className="relative z-1"
        aria-label={`Delete the view ${name}`}
        onClick={() => setAsked(true)}
      >
        <Trash2 className="size-4" aria-hidden />
      </Button>
    </li>
  )
}

function SaveForm({ isFull, query, words }: { isFull: boolean; query: string; words: string }) {
  const router = useRouter()
  const [name, setName] = useState('')
  const save = useMutation(
    useTRPC().usage.saveView.mutationOptions({
      onSuccess: () => {
        setName('')
        router.refresh()
      },
    }),
  )
  if (isFull || query.length > MAX_QUERY)
    return (
      <p className="px-3 py-2.5 text-table text-muted">
        {isFull
          ? `These are ${MAX_VIEWS} views, as many as there can be. Delete one to save another.`
          : 'The filters of this page are too long to be saved.'}
      </p>
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ name: name.trim(), query })
  }
  return (
    <form onSubmit={submit} className="grid gap-2 p-3">
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Name of this view" className="min-w-0 flex-1 basis-52 sm:max-w-80">
          {(control) => (
            <Input
              {...control}
              value={name}
              required
              pattern=".*\S.*"
              maxLength={60}
              autoComplete="off"
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <Button type="submit" busy={save.isPending}>
          Save view
        </Button>
      </div>
      <p className="text-caption wrap-anywhere text-muted">It keeps: {words}.</p>
      <ActionError
        error={save.error}
        kept="Nothing was saved."
        unsure="Reload the page to see whether the view was saved."
      />
      {save.isSuccess && name === '' && <Notice tone="good">Saved. It is in this list.</Notice>}
    </form>
  )
}
