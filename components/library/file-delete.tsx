'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTRPC } from '../trpc'
import { AskOnce } from '../ui/ask-once'
import { Button } from '../ui/button'
import { ModalDialog } from '../ui/modal-dialog'

type Props = { id: string; name: string }

/** Deletes a file once it was confirmed. */
export function FileDelete({ id, name }: Props) {
  const router = useRouter()
  const [isAsked, setAsked] = useState(false)
  const close = () => setAsked(false)
  const remove = useMutation(
    useTRPC().library.removeFile.mutationOptions({
      onSuccess: () => {
        close()
        router.refresh()
      },
    }),
  )
  return (
    <>
      <Button size="small" kind="danger" aria-label={`Delete ${name}`} onClick={() => setAsked(true)}>
        Delete
      </Button>
      {isAsked && (
        <ModalDialog label="Delete a file" onClose={close} className="top-[20vh] w-[min(28rem,calc(100vw-2rem))]">
          <div className="grid gap-3 p-4">
            <AskOnce
              error={remove.error}
              kept="The file was not deleted."
              unsure="The library says whether it is there."
              label="Delete file"
              isPending={remove.isPending}
              onConfirm={() => remove.mutate({ id })}
              onCancel={close}
            >
              Delete <strong className="font-semibold wrap-anywhere">{name}</strong>? Its address stops working, also in
              results and on sites that show it. This cannot be undone.
            </AskOnce>
          </div>
        </ModalDialog>
      )}
    </>
  )
}
