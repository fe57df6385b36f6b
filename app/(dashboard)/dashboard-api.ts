import 'server-only'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { dashboardCaller } from '@/server/api/caller'
import { localPath } from '@/server/kit/local-path'
import { currentSession } from '../session'

/** The sign-in page, with the way back: our server tells the path asked for, which Next does not. */
async function signInHref(): Promise<string> {
  const wanted = new URL(localPath((await headers()).get('x-tollgate-path'), '/overview'), 'http://here.invalid')
  wanted.searchParams.delete('_rsc')
  const next = wanted.pathname + wanted.search
  return next === '/overview' ? '/signin' : `/signin?next=${encodeURIComponent(next)}`
}

/** The dashboard's procedures for the signed-in owner. Whoever is not signed in is sent to the sign-in page. */
export async function dashboardApi() {
  if (!(await currentSession())) redirect(await signInHref())
  return dashboardCaller()
}
