import { z } from 'zod'
import type { Env } from '../../env'
import { CHECK_MS, type DoctorCheck, failure, look, well } from './check'

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url(),
})

const NAME = 'sign-in issuer'
const ADVICE = 'Correct AUTH_OIDC_ISSUER, or look at the network: nobody signs in through it until then.'

/** Whether the issuer describes itself, by the name that is set; nothing where none is set. */
export async function checkIssuer({ AUTH_OIDC_ISSUER: issuer }: Pick<Env, 'AUTH_OIDC_ISSUER'>): Promise<DoctorCheck[]> {
  if (!issuer) return []
  return look(NAME, ADVICE, async () => {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(CHECK_MS) })
    if (answer.status !== 200) return failure(NAME, `${url} answers ${answer.status}`, ADVICE)
    const parsed = Discovery.safeParse(await answer.json())
    if (!parsed.success) {
      const missing = parsed.error.issues.map(({ path }) => path.join('.')).join(', ')
      return failure(NAME, `${url} lacks ${missing}`, 'Sign-in needs an issuer that has them.')
    }
    if (parsed.data.issuer !== issuer)
      return failure(NAME, `it calls itself ${parsed.data.issuer}`, 'Set AUTH_OIDC_ISSUER to that, to the letter.')
    return well(NAME, `${issuer} answers`)
  })
}
