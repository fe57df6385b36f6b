import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

type Tools = inferRouterOutputs<AppRouter>['tools']

/** A tool as the dashboard receives it, with the schema of its parameters. */
export type ToolDetails = Tools['get']

/** The result of a successful run. */
export type ToolRunResult = Tools['run']

/** A tool's parameters as JSON. */
export type ToolParams = Record<string, unknown>

/** A tool in the list: its example has a value for every required parameter. */
export type ToolListItem = Omit<ToolDetails, 'schema' | 'result'>
