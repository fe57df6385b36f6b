import { z } from 'zod'
import { deleteFile, removeDataset, renameDataset } from '../../agent/library/change'
import { listLibraryDatasets, listLibraryFiles, listLibrarySites } from '../../agent/library/list'
import {
  DatasetList,
  FileList,
  FilePage,
  NamedDataset,
  NamedFile,
  NamedSite,
  RenamedDataset,
  SiteList,
  SiteVersionChoice,
} from '../../agent/library/shape'
import { rollBackSite } from '../../sites/rollback'
import { takeDownSite } from '../../sites/take-down'
import type { OperationEntry } from '../operation-meta'
import { accountKeyProcedure, hasScope, router } from '../trpc'
import { requireCapability } from './datasets'

type Method = OperationEntry['method']

const meta = (method: Method, path: OperationEntry['path'], operationId: string, summary: string) => ({
  openapi: { method, path, operationId, summary, tags: ['Agent runs'], protect: true },
})

const OF_ONE = { traits: ['granted', 'named'] } as const

/** What runs have made, for keys that may start runs. */
export const libraryOperations = router({
  datasets: accountKeyProcedure
    .meta({
      ...meta('GET', '/datasets', 'listDatasets', "List the account's datasets, by name"),
      rest: { traits: ['granted'], schema: 'DatasetList' },
    })
    .input(z.strictObject({}))
    .use(hasScope('agent'))
    .output(DatasetList)
    .query(async ({ ctx: { caller } }) => {
      requireCapability(caller.grants, 'data')
      return { datasets: await listLibraryDatasets(caller.ownerId), nextCursor: null }
    }),

  renameDataset: accountKeyProcedure
    .meta({ ...meta('PATCH', '/datasets/{name}', 'renameDataset', 'Rename a dataset'), rest: OF_ONE })
    .input(RenamedDataset)
    .use(hasScope('agent'))
    .output(NamedDataset)
    .mutation(({ ctx: { caller }, input }) => {
      requireCapability(caller.grants, 'data')
      return renameDataset(caller.ownerId, input)
    }),

  removeDataset: accountKeyProcedure
    .meta({ ...meta('DELETE', '/datasets/{name}', 'deleteDataset', 'Delete a dataset for good'), rest: OF_ONE })
    .input(NamedDataset)
    .use(hasScope('agent'))
    .output(NamedDataset)
    .mutation(({ ctx: { caller }, input }) => {
      requireCapability(caller.grants, 'data')
      return removeDataset(caller.ownerId, input.name)
    }),

  sites: accountKeyProcedure
    .meta({
      ...meta('GET', '/sites', 'listSites', "List the account's sites with their versions, by name"),
      rest: { traits: ['granted'], schema: 'SiteList' },
    })
    .input(z.strictObject({}))
    .use(hasScope('agent'))
    .output(SiteList)
    .query(async ({ ctx: { caller } }) => {
      requireCapability(caller.grants, 'site')
      return { sites: await listLibrarySites(caller.ownerId), nextCursor: null }
    }),

  serveVersion: accountKeyProcedure
    .meta({
      ...meta('POST', '/sites/{slug}/rollback', 'serveSiteVersion', 'Serve another version of a site'),
      rest: OF_ONE,
    })
    .input(SiteVersionChoice)
    .use(hasScope('agent'))
    .output(
      z.object({ url: z.string(), version: z.int(), replaced: z.int().nullable().describe('The version before') }),
    )
    .mutation(({ ctx: { caller }, input }) => {
      requireCapability(caller.grants, 'site')
      return rollBackSite(caller.ownerId, input)
    }),

  takeDown: accountKeyProcedure
    .meta({
      ...meta('POST', '/sites/{slug}/take-down', 'takeSiteDown', 'Stop serving a site; its versions stay'),
      rest: OF_ONE,
    })
    .input(NamedSite)
    .use(hasScope('agent'))
    .output(z.object({ slug: z.string(), wasLive: z.int().nullable().describe('The version that was served') }))
    .mutation(({ ctx: { caller }, input }) => {
      requireCapability(caller.grants, 'site')
      return takeDownSite(caller.ownerId, input)
    }),

  files: accountKeyProcedure
    .meta({
      ...meta('GET', '/agent/files', 'listAgentFiles', "List the account's files, newest first"),
      rest: { traits: ['granted'], schema: 'FileList' },
    })
    .input(FilePage)
    .use(hasScope('agent'))
    .output(FileList)
    .query(({ ctx: { caller }, input }) => listLibraryFiles(caller.ownerId, input)),

  deleteFile: accountKeyProcedure
    .meta({ ...meta('DELETE', '/agent/files/{id}', 'deleteAgentFile', 'Delete a file for good'), rest: OF_ONE })
    .input(NamedFile)
    .use(hasScope('agent'))
    .output(NamedFile)
    .mutation(({ ctx: { caller }, input }) => deleteFile(caller.ownerId, input.id)),
})
