import { useSyncExternalStore } from 'react'

/** The id of a step on its job's page. */
export const stepAnchor = (index: number): string => `step-${index}`

/** The page of a job, at one of its steps. */
export const stepHref = (jobId: string, index: number): string => `/jobs/${jobId}#${stepAnchor(index)}`

function listen(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}

/** The step that the URL names, by its anchor; null: none. */
export const useLinkedStep = (): string | null =>
  useSyncExternalStore(
    listen,
    () => (window.location.hash.startsWith('#step-') ? window.location.hash.slice(1) : null),
    () => null,
  )
