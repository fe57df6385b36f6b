import { z } from 'zod'
import { countConsentPage } from '../../accounts/rate-limit'
import { AppError } from '../../errors'
import { AllowedSettings, allowClient, describeConsent } from '../../oauth/consent'
import { ConsentRequest, OAuthFields } from '../../oauth/shape'
import { grantableNames } from '../grantable-names'
import { audited, stepUpWhen } from '../operation-meta'
import { LARGE_CONSENT } from '../step-up-rules'
import { memberProcedure, router } from '../trpc'

/** The consent page: what a client asks a signed-in owner for, and the answer. */
export const consentRouter = router({
  describe: memberProcedure('developer')
    .input(OAuthFields)
    .output(ConsentRequest)
    .query(async ({ ctx, input }) => {
      await countConsentPage(ctx.owner)
      return describeConsent(ctx.owner, input).catch((error) => {
        if (error instanceof AppError && error.code === 'invalid_request')
          return { kind: 'refused', message: error.message }
        throw error
      })
    }),

  allow: memberProcedure('developer')
    .meta({
      ...audited<{ request: { client_id?: unknown }; settings: object }, unknown>('client_allowed', {
        subject: ({ request }) => String(request.client_id ?? ''),
        detail: ({ settings }) => settings,
      }),
      ...stepUpWhen(LARGE_CONSENT),
    })
    .input(z.strictObject({ request: OAuthFields, settings: AllowedSettings }))
    .output(z.object({ redirectTo: z.string() }))
    .mutation(async ({ ctx, input }) => ({
      redirectTo: await allowClient({ ownerId: ctx.owner, personId: ctx.person }, input, grantableNames()),
    })),
})
