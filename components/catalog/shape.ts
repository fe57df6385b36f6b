import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

type Tools = inferRouterOutputs<AppRouter>['tools']

/** A tool as the dashboard receives it, with the schema of its parameters. */
export type ToolDetails = Tools['get']

/** The result of a successful run. */
export type ToolRunResult = Tools['run']

/** A tool's parameters as JSON. */
export type ToolParams = Record<string, unknown>

/** A tool as the list shows it: with a sample call, without the schema. */
export type ToolListItem = Omit<ToolDetails, 'schema'> & { sample: ToolParams }
