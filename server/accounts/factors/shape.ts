import { z } from 'zod'

const Base64Url = z.string().regex(/^[\w-]*$/)

/** What an authenticator answers, as browsers send it. The library reads the rest. */
export const PasskeyResponse = z.looseObject({
  id: Base64Url.min(1).max(1_400),
  rawId: Base64Url.max(1_400),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: Base64Url.max(20_000) }),
  clientExtensionResults: z.looseObject({}),
})
export type PasskeyResponse = z.infer<typeof PasskeyResponse>

export const PasskeyId = z.strictObject({ id: PasskeyResponse.shape.id })

/** What an owner calls a passkey. */
export const PasskeyName = z
  .string()
  .trim()
  .min(1, 'Enter a name')
  .max(60, 'Use at most 60 characters')
  .refine((name) => !name.includes('\0'), 'must not contain NUL')

/** Six digits of an authenticator app, or a recovery code; spaces and hyphens do not count. */
export const FactorCode = z.string().min(1, 'Enter a code').max(100)

const PasskeyView = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime().nullable(),
})

/** The second factors of an owner. */
export const SecondFactors = z.object({
  passkeys: z.array(PasskeyView),
  appSince: z.iso.datetime().nullable().describe('Since when there is an authenticator app; null: there is none'),
  recoveryCodes: z.int().describe('Recovery codes that are left'),
})
export type SecondFactors = z.infer<typeof SecondFactors>

/** The ways in which an owner can show who they are. */
export const Proofs = z.object({
  password: z.boolean(),
  app: z.boolean(),
  passkey: z.boolean(),
  recoveryCode: z.boolean(),
})
export type Proofs = z.infer<typeof Proofs>

/** Recovery codes, where a second factor brought new ones; shown this once. */
export const AddedFactor = z.object({ recoveryCodes: z.array(z.string()).nullable() })
export type AddedFactor = z.infer<typeof AddedFactor>
