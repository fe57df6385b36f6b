import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { localPath } from '@/components/shell/local-path'
import { server } from '../server'
import { currentSession } from '../session'

/** The sign-in page, with the way back: our server tells the path asked for, which Next does not. */
async function signInHref(): Promise<string> {
  const wanted = new URL(localPath((await headers()).get('x-tollgate-path'), '/overview'), 'http://here.invalid')
  wanted.searchParams.delete('_rsc')
  const next = wanted.pathname + wanted.search
  return next === '/overview' ? '/signin' : `/signin?next=${encodeURIComponent(next)}`
}

/**
 * The dashboard's procedures for the signed-in owner. Whoever is not signed in is sent to the sign-in page. Once the
 * client has disconnected they fail as not found, which Next does not log.
 */
export async function dashboardApi() {
  if (!(await currentSession())) redirect(await signInHref())
  return server().dashboardCaller(await headers(), notFound)
}
