import type { z } from 'zod'
import type { Variables } from './variables'

/** Which providers are simulated: all or none of them, but for those of a list. */
export type ProviderLists = Pick<z.output<typeof Variables>, 'UPSTREAMS' | 'LIVE_PROVIDERS' | 'SANDBOX_PROVIDERS'>

export const MODELS_PROVIDER = 'models'

export const simulates = (
  provider: string,
  { UPSTREAMS, LIVE_PROVIDERS, SANDBOX_PROVIDERS }: ProviderLists,
): boolean => (UPSTREAMS === 'sandbox' ? !LIVE_PROVIDERS.includes(provider) : SANDBOX_PROVIDERS.includes(provider))

/**
 * What is wrong with the lists, a line each. `providers` are those of the tools; null where they
 * are not known, so that names are not checked.
 */
export function checkProviders(
  lists: ProviderLists & Pick<z.output<typeof Variables>, 'MODELS_FILE'>,
  providers: readonly string[] | null,
): string[] {
  const { UPSTREAMS, LIVE_PROVIDERS, SANDBOX_PROVIDERS, MODELS_FILE } = lists
  const known = providers && [MODELS_PROVIDER, ...providers]
  const unknown = (variable: 'LIVE_PROVIDERS' | 'SANDBOX_PROVIDERS') =>
    lists[variable]
      .filter((name) => known?.includes(name) === false)
      .map((name) => `${variable} has the unknown name ${name}. Known are: ${known?.join(', ')}`)
  return [
    ...(UPSTREAMS === 'live' && LIVE_PROVIDERS.length > 0
      ? ['LIVE_PROVIDERS applies with UPSTREAMS=sandbox only: with live, name in SANDBOX_PROVIDERS what is simulated']
      : []),
    ...(UPSTREAMS === 'sandbox' && SANDBOX_PROVIDERS.length > 0
      ? ['SANDBOX_PROVIDERS applies with UPSTREAMS=live only: with sandbox, name in LIVE_PROVIDERS what is real']
      : []),
    ...(LIVE_PROVIDERS.includes(MODELS_PROVIDER) && !MODELS_FILE
      ? ['MODELS_FILE must be set: LIVE_PROVIDERS has models, which come from that file']
      : []),
    ...unknown('LIVE_PROVIDERS'),
    ...unknown('SANDBOX_PROVIDERS'),
  ]
}
