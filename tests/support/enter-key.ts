import { authenticateKey, type Caller, type KnownKey } from '../../server/keys/authenticate'

/** Authenticates a bearer value. Throws its refusal. */
export async function enterKey(secret: string | null): Promise<Caller & Pick<KnownKey, 'rate'>> {
  const entry = await authenticateKey(secret)
  if ('refusal' in entry) throw entry.refusal
  return { ...entry.caller, rate: entry.key.rate }
}
