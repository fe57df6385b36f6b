import { z } from 'zod'
import { identityProvidersOf } from '../../accounts/auth-config'
import { beginApp, confirmApp } from '../../accounts/factors/authenticator-app'
import { addPasskey, beginPasskey } from '../../accounts/factors/passkeys'
import { makeRecoveryCodes } from '../../accounts/factors/recovery-codes'
import { relyingParty } from '../../accounts/factors/relying-party'
import {
  hasSecondFactor,
  mustHaveFactor,
  readProofs,
  readSecondFactors,
  removeFactor,
} from '../../accounts/factors/second-factors'
import {
  AddedFactor,
  FactorCode,
  PasskeyId,
  PasskeyName,
  PasskeyResponse,
  Proofs,
  SecondFactors,
} from '../../accounts/factors/shape'
import { canStoreSecrets } from '../../accounts/factors/stored-secret'
import { IdentityProviderChoice } from '../../accounts/shape'
import { beginProof, proveByCode, proveByPasskey, proveByPassword } from '../../accounts/step-up'
import { inAct } from '../../db'
import { AppError } from '../../errors'
import { audited, NOT_AUDITED, REACHED_WITHOUT_FACTOR, STEP_UP } from '../operation-meta'
import { personProcedure, router } from '../trpc'

const Overview = SecondFactors.extend({
  isRequired: z.boolean().describe('They must have a second factor: as an operator, or in an account'),
  canUseApp: z.boolean().describe('False: the operator has set no encryption key for secrets'),
  passkeyOrigin: z.string().nullable().describe('Where passkeys work; null: nowhere'),
})

const ProofChoices = Proofs.extend({
  providers: z.array(IdentityProviderChoice).describe('Where signing in again is a proof, too'),
})

const Proven = z.object({ proven: z.literal(true) })
const proven = { proven: true } as const
const Done = z.object({ done: z.literal(true) })
const done = { done: true } as const

/** What changes second factors: who must add one gets here, everybody with a fresh proof. */
const changesFactors = personProcedure.meta({ ...REACHED_WITHOUT_FACTOR, ...STEP_UP })
const reached = personProcedure.meta(REACHED_WITHOUT_FACTOR)

/** Second factors, and the proof that whoever is signed in is the owner. */
export const securityRouter = router({
  overview: reached.output(Overview).query(async ({ ctx: { session } }) => ({
    ...(await readSecondFactors(session.personId)),
    isRequired: await mustHaveFactor(session),
    canUseApp: canStoreSecrets(),
    passkeyOrigin: relyingParty()?.origin ?? null,
  })),

  beginApp: changesFactors
    .meta(NOT_AUDITED)
    .output(z.object({ secret: z.string(), uri: z.string(), qr: z.string().describe('A QR code of the URI, SVG') }))
    .mutation(({ ctx: { session } }) => beginApp(session)),

  confirmApp: changesFactors
    .meta(audited('second_factor_added', { detail: () => ({ kind: 'authenticator app' }) }))
    .input(z.strictObject({ code: FactorCode }))
    .output(AddedFactor)
    .mutation(({ ctx, input }) => confirmApp(ctx.person, input.code)),

  removeApp: changesFactors
    .meta(audited('second_factor_removed', { detail: () => ({ kind: 'authenticator app' }) }))
    .output(Done)
    .mutation(async ({ ctx: { session } }) => {
      const { personId: ownerId } = session
      await removeFactor(session, (tx) => tx.authenticatorApp.deleteMany({ where: { ownerId } }))
      return done
    }),

  beginPasskey: changesFactors
    .meta(NOT_AUDITED)
    .output(z.unknown())
    .mutation(({ ctx: { session } }) => beginPasskey(session)),

  addPasskey: changesFactors
    .meta(
      audited<{ name: string }, unknown>('second_factor_added', {
        subject: ({ name }) => name,
        detail: () => ({ kind: 'passkey' }),
      }),
    )
    .input(z.strictObject({ name: PasskeyName, response: PasskeyResponse }))
    .output(AddedFactor)
    .mutation(({ ctx, input }) => addPasskey(ctx.person, input)),

  removePasskey: changesFactors
    .meta(audited('second_factor_removed', { detail: () => ({ kind: 'passkey' }) }))
    .input(PasskeyId)
    .output(Done)
    .mutation(async ({ ctx: { session }, input: { id } }) => {
      const { personId: ownerId } = session
      await removeFactor(session, (tx) => tx.passkey.deleteMany({ where: { id, ownerId } }))
      return done
    }),

  makeRecoveryCodes: changesFactors
    .meta(audited('recovery_codes_made'))
    .output(z.object({ recoveryCodes: z.array(z.string()).describe('Shown this once') }))
    .mutation(async ({ ctx }) => {
      if (!(await hasSecondFactor(ctx.person)))
        throw new AppError('conflict', 'Add a passkey or an authenticator app first.')
      return { recoveryCodes: await inAct((tx) => makeRecoveryCodes(tx, ctx.person)) }
    }),

  /** How whoever is signed in can show that they are the owner. */
  proofs: reached.output(ProofChoices).query(async ({ ctx }) => ({
    ...(await readProofs(ctx.person)),
    providers: await identityProvidersOf(ctx.person),
  })),

  beginProof: reached
    .meta(NOT_AUDITED)
    .output(z.unknown())
    .mutation(({ ctx }) => beginProof(ctx.session)),

  proveByPassword: reached
    .meta(NOT_AUDITED)
    .input(z.strictObject({ password: z.string().min(1, 'Enter your password').max(200) }))
    .output(Proven)
    .mutation(async ({ ctx, input }) => {
      await proveByPassword(ctx.session, input.password)
      return proven
    }),

  proveByCode: reached
    .meta(NOT_AUDITED)
    .input(z.strictObject({ code: FactorCode }))
    .output(Proven)
    .mutation(async ({ ctx, input }) => {
      await proveByCode(ctx.session, input.code)
      return proven
    }),

  proveByPasskey: reached
    .meta(NOT_AUDITED)
    .input(z.strictObject({ response: PasskeyResponse }))
    .output(Proven)
    .mutation(async ({ ctx, input }) => {
      await proveByPasskey(ctx.session, input.response)
      return proven
    }),

  /** Asks for a proof before something that is not a call, such as a download. */
  confirm: personProcedure
    .meta({ ...NOT_AUDITED, ...STEP_UP })
    .output(Done)
    .mutation(() => done),
})
