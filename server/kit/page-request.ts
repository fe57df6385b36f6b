import { AsyncLocalStorage } from 'node:async_hooks'

/** A page that is being rendered for a client. */
export type PageRequest = {
  /** Aborts when the client disconnects. */
  signal: AbortSignal
  /** Set when something the page reads has found the database away. */
  isDatabaseDown: boolean
}

const store = new AsyncLocalStorage<PageRequest>()

/** Runs `render`, in which `currentPageRequest` returns `page`. */
export const runPageRequest = <T>(page: PageRequest, render: () => T): T => store.run(page, render)

/** The page that is being rendered; undefined outside of pages. */
export const currentPageRequest = (): PageRequest | undefined => store.getStore()
