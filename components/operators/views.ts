import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

type Operators = inferRouterOutputs<AppRouter>['operators']

export type OperatorOwner = Operators['owners']['list']['rows'][number]
export type OperatorOwnerDetails = Operators['owners']['get']
export type OwnerTraffic = Operators['owners']['traffic']['rows'][number]
export type OperatorRun = Operators['runs']['get']
export type OperatorRequest = Operators['requests']['get']
export type OperatorLogRow = Operators['owners']['log']['rows'][number]
export type OperatorProcess = Operators['workers']['processes'][number]
export type OperatorHolds = Operators['holds']
export type OperatorProvider = Operators['providers']['providers'][number]
export type OperatorModel = Operators['providers']['models'][number]
export type OperatorSettings = Operators['settings']['get']
export type OperatorSettingsAnswer = Operators['settings']['read']
export type CallHealth = OperatorProvider['health']
