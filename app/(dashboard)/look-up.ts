import 'server-only'
import { cache } from 'react'
import { orNotFound } from '../or-not-found'
import { ownerApi } from './owner-api'

// What a page is about, or the not-found page; looked up once, though both the layout and the page ask.

export const jobOf = cache(async (jobId: string) => orNotFound((await ownerApi()).jobs.get({ jobId })))

export const keyOf = cache(async (id: number) => orNotFound((await ownerApi()).keys.get({ id })))

export const toolOf = cache(async (tool: string) => orNotFound((await ownerApi()).tools.get({ tool })))
