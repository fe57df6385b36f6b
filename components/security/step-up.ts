'use client'

import { TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { useSyncExternalStore } from 'react'
import type { AppRouter } from '@/server/api/router'

/** The question that is open: it is answered once, for every call that waits. */
type Question = { answer: Promise<boolean>; resolve: (isProven: boolean) => void }

let open: Question | null = null
const listeners = new Set<() => void>()

function setOpen(question: Question | null): void {
  open = question
  for (const listener of listeners) listener()
}

/** Asks whoever is signed in to show that it is them; true when they did. */
function askForProof(): Promise<boolean> {
  if (!open) {
    let resolve: Question['resolve'] = () => undefined
    const answer = new Promise<boolean>((done) => {
      resolve = done
    })
    setOpen({ answer, resolve })
  }
  return open?.answer ?? Promise.resolve(false)
}

/** Ends the question: calls that wait are made again, or fail. */
export function answerStepUp(isProven: boolean): void {
  const question = open
  setOpen(null)
  question?.resolve(isProven)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether somebody is being asked to show that it is them. */
export const useStepUpAsked = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => open !== null,
    () => false,
  )

const wantsProof = (error: unknown): boolean =>
  error instanceof TRPCClientError && (error.data as { stepUp?: boolean } | null)?.stepUp === true

/**
 * Holds a call that needs a fresh proof of who is signed in, asks for it in a dialog, and makes the
 * call again: the page behind it keeps what was typed.
 */
export const stepUpLink: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) => {
      let attempt: { unsubscribe: () => void } | undefined
      const call = (mayAsk: boolean) => {
        attempt = next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: (error) => {
            if (!mayAsk || !wantsProof(error)) return observer.error(error)
            void askForProof().then((isProven) => (isProven ? call(false) : observer.error(error)))
          },
        })
      }
      call(true)
      return () => attempt?.unsubscribe()
    })
