import type { z } from 'zod'
import type { Settings } from '../env'
import type { ToolArtifact } from './artifact'
import type { AgentCaller, Flow, RunIds } from './flow'
import type { Effect } from './shape'

/**
 * The capabilities to which an agent run can be confined, with their labels; each tool has exactly
 * one.
 */
export const CAPABILITY_LABELS = {
  web: 'Web',
  crypto: 'Crypto',
  dataApi: 'Data APIs',
  media: 'Media',
  data: 'Datasets and databases',
  site: 'Site publishing',
  pod: 'Sandboxed shell',
} as const
export type Capability = keyof typeof CAPABILITY_LABELS
export const CAPABILITIES = Object.keys(CAPABILITY_LABELS) as Capability[]

export type ToolPricing<I> =
  | { kind: 'fixed'; credits: number }
  /**
   * `boundUsd`: the most that this call can cost at the provider's own price. `capUsd`: the
   * caller's own limit at that price; what the call costs beyond it is the operator's loss.
   * Undefined: the caller set none. `asksProvider`: whether `boundUsd` has to ask the provider.
   * `usualUsd`: what such a call normally costs, where that is known. Asks no provider.
   */
  | {
      kind: 'metered'
      boundUsd: (input: I) => number | Promise<number>
      capUsd?: (input: I) => number | undefined
      asksProvider?: (input: I) => boolean
      usualUsd?: (input: I) => number | Promise<number>
      /** Its provider charges nothing for it. */
      isFree?: true
    }

/** A parameter that a tool fits to what its provider can do, such as `7 s` that becomes `8 s`. */
export type FittedParam = { param: string; asked: string; becomes: string }

/** What a running tool is given. */
export type ToolContext = {
  /**
   * Aborts when the time budget is used up, or when the client disconnects before anything was
   * sent.
   */
  signal: AbortSignal
  /**
   * Call it once the provider has the request: from then on a failure is charged, and a disconnect
   * is ignored.
   */
  onSent: () => void
  /** Metered tools: the provider's real cost so far, in USD. The last call counts. */
  spent: (costUsd: number) => void
  /** The id of the call and of its receipt, for log lines. */
  requestId?: string
  /** Who pays: files that a tool hosts belong to this owner. */
  ownerId: number
  /** The agent conversation this call is part of. */
  jobId?: string
  /** The agent run that makes this call. */
  run?: RunIds
  /** A person approved this very call. Without it a tool refuses a destructive action. */
  approved?: boolean
  /** The agent run that makes this call has read untrusted text. */
  hasReadUntrusted?: boolean
  /**
   * The output of an earlier step of the agent run that makes this call. Throws `invalid_request`
   * for a step that has none.
   */
  earlierOutput?: (step: number) => unknown
}

/**
 * What a person is asked before a destructive action: exactly what would run, and why they are
 * asked.
 */
export type Approval = {
  summary: string
  reason: string
  command?: string
  sql?: string
  deploymentId?: string
  /** What a run would have to be permitted, not to ask this: nothing of it covers what has none. */
  needs?: readonly PermissionNeed[]
  /** What would change, worked out when a person is asked. */
  effect?: () => Promise<Effect | null>
}

/** One of the `permissions` of a run, see `server/agent/shape.ts`. */
export type PermissionNeed = { kind: 'hosts' | 'sites' | 'datasets' | 'exports'; name: string }

/**
 * One callable tool. Everything that handlers, pages and documents say about it comes from this
 * value.
 */
export type Tool<P extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  /** `<group>_<verb>`, the file's name. */
  id: string
  /** Short display name. */
  label: string
  capability: Capability
  /**
   * A way into its group: agents have its definition from their first step, or its parameters in
   * the list of their prompt, by which they can call it at once.
   */
  isFirst?: 'defined' | 'listed'
  /** A goal that names its group does not define it: most such goals need no call of it. */
  isRare?: true
  /** Ids of the tools that agents need after a call of it: defined for them from then on. */
  leadsTo?: readonly string[]
  /**
   * Columns of its lists that agents are shown, the most useful first: they can read the others on
   * from the result, which keeps them. Absent: all.
   */
  columns?: readonly string[]
  /** Where its data comes from, where that is not its group's provider. */
  provider?: string
  /** The gateway's own work, for which no provider is asked: real in sandbox mode too. */
  isBuiltIn?: true
  description: string
  /** Strict object of parameters; each one's `.describe()` is its documentation. */
  params: P
  /** An input that makes sense with any provider: forms, snippets and tests begin with it. */
  example?: z.input<P>
  /** The same in sandbox mode, where it has to name something that only the simulation knows. */
  sandboxExample?: z.input<P> | ((sandboxUrl: string) => z.input<P>)
  output: O
  pricing: ToolPricing<z.output<P>>
  /** What of the input a call would change, as people read it. */
  fitted?: (input: z.output<P>) => readonly FittedParam[]
  annotations: { readOnly: boolean; openWorld: boolean; idempotent: boolean }
  /** What it reads, and where its input goes. */
  flow: Flow<z.output<P>, z.output<O>>
  /** Time budget in milliseconds; 60 s by default. */
  timeoutMs?: number | ((input: z.output<P>) => number)
  /** False: a call may take longer than MCP clients wait, so MCP does not offer it. */
  mcp?: false
  /**
   * What a person must approve before this call runs; null: nothing. Code that reads the input
   * decides, never a model; input that it cannot read needs approval too. Only agents call tools
   * that ask.
   */
  asks?: (input: z.output<P>, caller: AgentCaller) => Promise<Approval | null>
  /** A call takes minutes: MCP clients that can poll get a task. */
  isLong?: boolean
  /** URLs of hosted images in a result: MCP shows the small ones. */
  images?: (result: z.output<O>) => readonly string[]
  /** What a call made that people can use, from its result and its input. */
  artifacts?: (result: z.output<O>, input: z.output<P>) => readonly ToolArtifact[]
  /** What is going on while a long call runs, such as `Running tide/places`. */
  activity?: (input: z.output<P>) => string
  /** False hides the tool: its provider is not configured here. */
  available: () => boolean
  run: (input: z.output<P>, context: ToolContext) => Promise<z.output<O>>
}

/**
 * Any tool, without the types of its parameters: what the registry, handlers and documents loop
 * over.
 */
export type AnyTool = Omit<
  Tool,
  | 'run'
  | 'pricing'
  | 'fitted'
  | 'timeoutMs'
  | 'images'
  | 'artifacts'
  | 'activity'
  | 'asks'
  | 'flow'
  | 'example'
  | 'sandboxExample'
> & {
  example?: unknown
  sandboxExample?: unknown | ((sandboxUrl: string) => unknown)
  pricing: ToolPricing<never>
  fitted?: (input: never) => readonly FittedParam[]
  flow: Flow
  asks?: (input: never, caller: AgentCaller) => Promise<Approval | null>
  images?: (result: never) => readonly string[]
  artifacts?: (result: never, input: never) => readonly ToolArtifact[]
  activity?: (input: never) => string
  timeoutMs?: number | ((input: never) => number)
  run: (input: never, context: ToolContext) => Promise<unknown>
}

export type ToolGroup = {
  /** Name of the folder. */
  id: string
  /** Shown in the catalog and in the key form. */
  label: string
  /** First parts of the ids of its tools; by default the group's id. */
  prefixes?: readonly string[]
  /** Where its data comes from, as the README names it. */
  provider: string
  /** The agent whose field its tools belong to. */
  agent: string
  /**
   * Proper names and terms in lower case that people of every language write so: a goal with one of
   * them has the definitions of its tools from the first step.
   */
  names?: readonly string[]
  /** The variables that configure its provider. */
  settings?: Settings
  tools: readonly AnyTool[]
}

/** Types a tool's functions from its own schemas, then forgets those types. */
export const defineTool = <P extends z.ZodObject, O extends z.ZodType>(tool: Tool<P, O>): AnyTool => tool as AnyTool
