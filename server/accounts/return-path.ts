import { env } from '../env'
import { cookieIn, usesSecureCookies } from './session'

/** The path of this site to which Auth.js takes a browser after it has signed in, by its cookie. */
export function returnPath(headers: Headers): string {
  const { origin } = new URL(env().PUBLIC_URL)
  const url = decodeURIComponent(
    cookieIn(headers, `${usesSecureCookies() ? '__Secure-' : ''}authjs.callback-url`) ?? '',
  )
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : '/overview'
}

/** The token of the invitation that a browser is to return to; null: it is another page. */
export function invitationToReturnTo(headers: Headers): string | null {
  const { pathname, searchParams } = new URL(returnPath(headers), env().PUBLIC_URL)
  return pathname === '/join' ? searchParams.get('token') : null
}
