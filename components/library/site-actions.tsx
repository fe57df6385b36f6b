'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { AskOnce } from '../ui/ask-once'
import { Button } from '../ui/button'

/** Makes a version the one that visitors get. */
export function ServeVersion({ slug, version }: { slug: string; version: number }) {
  const router = useRouter()
  const serve = useMutation(useTRPC().library.serveVersion.mutationOptions({ onSuccess: () => router.refresh() }))
  return (
    <div className="flex flex-col items-end gap-2">
      <Button
        size="small"
        busy={serve.isPending}
        aria-label={`Make version ${version} public`}
        onClick={() => serve.mutate({ slug, version })}
      >
        Make public
      </Button>
      <ActionError error={serve.error} kept="Visitors get what they got." unsure="The list says which is public." />
    </div>
  )
}

/** Whether an act is asked about, in place; `onSuccess`: what follows once it is done. */
function useAsking() {
  const [isAsking, setAsking] = useState(false)
  const router = useRouter()
  const onSuccess = () => {
    setAsking(false)
    router.refresh()
  }
  return { isAsking, setAsking, onSuccess }
}

/** Takes a site down; it asks once. */
export function TakeDown({ slug }: { slug: string }) {
  const { isAsking, setAsking, onSuccess } = useAsking()
  const takeDown = useMutation(useTRPC().library.takeDown.mutationOptions({ onSuccess }))
  if (!isAsking)
    return (
      <div>
        <Button size="small" kind="danger" onClick={() => setAsking(true)}>
          Take down
        </Button>
      </div>
    )
  return (
    <div className="grid gap-3 rounded border border-bad p-4">
      <AskOnce
        error={takeDown.error}
        kept="The site is still public."
        unsure="This page says whether it is public."
        label="Take down"
        isPending={takeDown.isPending}
        onConfirm={() => takeDown.mutate({ slug })}
        onCancel={() => setAsking(false)}
      >
        Take <strong className="font-semibold wrap-anywhere">{slug}</strong> down? Visitors get “not found”. Its name
        and versions stay, and any of them can be made public again.
      </AskOnce>
    </div>
  )
}

/** Ends the preview of a version; it asks once. */
export function EndPreview({ slug, version }: { slug: string; version: number }) {
  const { isAsking, setAsking, onSuccess } = useAsking()
  const end = useMutation(useTRPC().library.endPreview.mutationOptions({ onSuccess }))
  if (!isAsking)
    return (
      <Button size="small" onClick={() => setAsking(true)}>
        End preview<span className="sr-only"> of version {version}</span>
      </Button>
    )
  return (
    <div className="grid gap-2 py-2 whitespace-normal">
      <AskOnce
        error={end.error}
        kept="The preview is still shown."
        unsure="This page says whether there is a preview."
        label="End preview"
        isPending={end.isPending}
        onConfirm={() => end.mutate({ slug, version })}
        onCancel={() => setAsking(false)}
      >
        End the preview of version {version}? Whoever has its address gets “not found”. The version stays.
      </AskOnce>
    </div>
  )
}
