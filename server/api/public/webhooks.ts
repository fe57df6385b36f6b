import { z } from 'zod'
import { getSigningSecret } from '../../agent/webhooks/secret'
import { sendTestWebhook } from '../../agent/webhooks/send-test'
import { SigningSecret, TestedWebhook } from '../../agent/webhooks/shape'
import { accountKeyProcedure, hasScope, router } from '../trpc'

const OF_RUNS = { tags: ['Agent runs'], protect: true }

/** What programs need to receive webhooks. A key that starts runs as its owner has their secret. */
export const webhooksRouter = router({
  secret: accountKeyProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/webhooks/secret',
        operationId: 'getWebhookSecret',
        summary: 'The secret that webhooks are signed with',
        description: 'For keys with the scope `agent`. It is that of the account: keep it where the key is.',
        ...OF_RUNS,
      },
      rest: { schema: 'WebhookSecret', traits: ['granted'] },
    })
    .input(z.strictObject({}))
    .use(hasScope('agent'))
    .output(SigningSecret)
    .query(({ ctx }) => getSigningSecret(ctx.caller.ownerId)),

  test: accountKeyProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/webhooks/test',
        operationId: 'testWebhook',
        summary: 'Send a signed test event to a URL',
        description: 'It is sent once, now, and the answer says what the receiver answered.',
        ...OF_RUNS,
      },
      rest: { schema: 'WebhookTest', traits: ['granted'] },
    })
    .input(z.strictObject({ url: z.string().min(1).max(2_000).describe('The URL, as a callbackUrl would have it') }))
    .use(hasScope('agent'))
    .output(TestedWebhook)
    .mutation(({ ctx, input }) => sendTestWebhook(ctx.caller.ownerId, input.url)),
})
