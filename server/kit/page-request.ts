import { AsyncLocalStorage } from 'node:async_hooks'
import { processSingleton } from './process-singleton'

/** What the server notes while Next renders one page. */
export type PageRequest = { isDatabaseDown: boolean }

/** The page that is being rendered, if one is: both copies of our modules see the same. */
export const pageRequest = (): AsyncLocalStorage<PageRequest> =>
  processSingleton('page-run', () => new AsyncLocalStorage<PageRequest>())
