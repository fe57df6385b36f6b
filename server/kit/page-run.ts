import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from './once'

/** What the server notes while Next renders one page. */
export type PageRun = { isDatabaseDown: boolean }

/** The page that is being rendered, if one is: both copies of our modules see the same. */
export const pageRun = (): AsyncLocalStorage<PageRun> => once('page-run', () => new AsyncLocalStorage<PageRun>())
