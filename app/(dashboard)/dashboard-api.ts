import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { localPath } from '@/components/shell/local-path'
import { server } from '../server'
import { currentSession } from '../session'

/** The sign-in page, with the path to return to, which the HTTP server sends in a header. */
async function signInHref(): Promise<string> {
  const requested = new URL(localPath((await headers()).get('x-tollgate-path'), '/overview'), 'http://here.invalid')
  requested.searchParams.delete('_rsc')
  const next = requested.pathname + requested.search
  return next === '/overview' ? '/signin' : `/signin?next=${encodeURIComponent(next)}`
}

/**
 * The dashboard's procedures for the signed-in owner; redirects to the sign-in page without a
 * session, and an operator who has to add a second factor to the page for that. Once the client
 * has disconnected, procedures fail as not found, which Next does not log.
 */
export async function dashboardApi() {
  const session = await currentSession()
  if (!session) redirect(await signInHref())
  if (session.lacksFactor) redirect('/second-factor')
  return server().dashboardCaller(await headers(), notFound)
}
