import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { localPath } from '@/components/shell/local-path'
import { minRoleOf } from '@/components/shell/navigation-items'
import { server } from '../server'
import { currentSession } from '../session'

/** The URL of the request, whose path the HTTP server sends in a header. */
const requestedUrl = async (): Promise<URL> =>
  new URL(localPath((await headers()).get('x-tollgate-path'), '/overview'), 'http://here.invalid')

/** The sign-in page, with the path to return to. */
async function signInHref(): Promise<string> {
  const requested = await requestedUrl()
  requested.searchParams.delete('_rsc')
  const next = requested.pathname + requested.search
  return next === '/overview' ? '/signin' : `/signin?next=${encodeURIComponent(next)}`
}

/**
 * The dashboard's procedures for whoever is signed in; redirects to the sign-in page without a
 * session, to the page for that where a second factor or an account is missing, and says not found
 * of a page that is not for the role. Once the client
 * has disconnected, procedures fail as not found, which Next does not log.
 */
export async function dashboardApi() {
  const session = await currentSession()
  if (!session) redirect(await signInHref())
  if (session.lacksFactor) redirect('/second-factor')
  if (!session.account) redirect('/no-account')
  const { pathname } = await requestedUrl()
  // Where everybody begins: its page leads those elsewhere who have no part in it.
  if (pathname !== '/overview' && !session.account.may.includes(minRoleOf(pathname))) notFound()
  return server().dashboardCaller(await headers(), notFound)
}
