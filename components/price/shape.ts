import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

type Outputs = inferRouterOutputs<AppRouter>

export type ToolPriceInfo = NonNullable<Outputs['tools']['estimate']>
export type ChatPriceInfo = NonNullable<Outputs['playground']['estimate']>
export type RunPriceInfo = Outputs['jobs']['estimate']

/** What any of these says before credits are spent. */
export type PriceInfo = Pick<
  ToolPriceInfo,
  'most' | 'typical' | 'basis' | 'available' | 'isShort' | 'mustConfirm' | 'creditsPerUsd'
> &
  Partial<Pick<ToolPriceInfo, 'fitted'> & Pick<RunPriceInfo, 'limitedBy' | 'range' | 'judges'>>
