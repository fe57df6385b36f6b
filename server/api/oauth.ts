import { z } from 'zod'
import { checkAuthorization } from '../oauth/authorization'
import { exchangeGrant } from '../oauth/exchange'
import { registerClient } from '../oauth/register'
import { revokeToken } from '../oauth/revoke'
import { OAuthFields } from '../oauth/shape'
import { grantableNames } from './grantable-names'
import { router, visitorProcedure } from './trpc'

/** What OAuth clients and browsers on their way to the consent page call: no credentials. */
export const oauthRouter = router({
  checkAuthorization: visitorProcedure.input(OAuthFields).query(({ input }) => checkAuthorization(input)),

  register: visitorProcedure.input(z.unknown()).mutation(({ ctx, input }) => registerClient(input, ctx.headers)),

  exchange: visitorProcedure
    .input(OAuthFields)
    .mutation(({ ctx, input }) => exchangeGrant(input, ctx.headers, grantableNames())),

  revoke: visitorProcedure.input(OAuthFields).mutation(({ ctx, input }) => revokeToken(input, ctx.headers)),
})
