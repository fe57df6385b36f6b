import type { z } from 'zod'
import type { Settings } from '../env'
import type { Exposure } from './exposure'

/** The capabilities to which an agent run can be confined, with their labels; each tool has exactly one. */
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
   * `boundUsd`: the most this call can cost at the provider's own price. `capUsd`: the caller's own hard cap at that
   * price; what the call costs beyond it is the operator's loss. Undefined: the caller set none.
   */
  | {
      kind: 'metered'
      boundUsd: (input: I) => number | Promise<number>
      capUsd?: (input: I) => number | undefined
    }

/** What a running tool is given. */
export type ToolContext = {
  /** Aborts when the time budget is up, or, before anything was sent, when the caller left. */
  signal: AbortSignal
  /** Is called once the provider has the request: from then on a failure is charged, and the caller cannot abort. */
  onSent: () => void
  /** Metered tools: the vendor's real cost so far, in USD. The last call counts. */
  spent: (costUsd: number) => void
  /** Who pays: files a tool hosts belong to this owner. */
  ownerId: number
  /** The agent conversation this call is part of. */
  jobId?: string
  /** A person approved this very call. Without it a tool that finds it would destroy something refuses. */
  approved?: boolean
  /** The agent run that makes this call has read text of strangers. */
  hasReadForeign?: boolean
}

/** A destructive act, told before it is done: exactly what would run, and why a person is asked. */
export type Approval = { summary: string; reason: string; command?: string; sql?: string; deploymentId?: string }

/** One callable tool: everything every door, page and document says about it comes from this value. */
export type Tool<P extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  /** `<group>_<verb>`, the file's name. */
  id: string
  /** Short display name. */
  label: string
  capability: Capability
  /** Its agents, where they are not those of its group. */
  agents?: readonly string[]
  /** Where its data comes from, where that is not its group's provider. */
  provider?: string
  description: string
  /** Strict object of parameters; each one's `.describe()` is its documentation. */
  params: P
  /** An input that makes sense with any provider: forms, snippets and tests begin with it. */
  example?: z.input<P>
  /** The same in sandbox mode, where it has to name something that only the simulation knows. */
  sandboxExample?: z.input<P> | ((sandboxUrl: string) => z.input<P>)
  output: O
  pricing: ToolPricing<z.output<P>>
  annotations: { readOnly: boolean; openWorld: boolean; idempotent: boolean }
  /** What it reads and what it sends out; every tool has to say. */
  exposure: Exposure<z.output<P>, z.output<O>>
  /** Time budget in milliseconds; a default of 60 s holds where a tool says nothing. */
  timeoutMs?: number | ((input: z.output<P>) => number)
  /** False: a call may take longer than MCP clients wait, so MCP does not offer it. */
  mcp?: false
  /**
   * What a person must approve before this call may run; null: nothing. Code that reads the input decides, never a
   * model; what it cannot read asks too. Only agents call tools that ask.
   */
  asks?: (input: z.output<P>, caller: Pick<ToolContext, 'ownerId'> & { jobId: string }) => Promise<Approval | null>
  /** The pictures we host that a result names, by URL: MCP clients are shown those that are small. */
  pictures?: (result: z.output<O>) => readonly string[]
  /** False hides the tool: its provider is not configured here. */
  available: () => boolean
  run: (input: z.output<P>, context: ToolContext) => Promise<z.output<O>>
}

/** Any tool, its parameter types forgotten: what registry, doors and documents loop over. */
export type AnyTool = Omit<
  Tool,
  'run' | 'pricing' | 'timeoutMs' | 'pictures' | 'asks' | 'exposure' | 'example' | 'sandboxExample'
> & {
  example?: unknown
  sandboxExample?: unknown | ((sandboxUrl: string) => unknown)
  pricing: ToolPricing<never>
  exposure: Exposure
  asks?: (input: never, caller: Pick<ToolContext, 'ownerId'> & { jobId: string }) => Promise<Approval | null>
  pictures?: (result: never) => readonly string[]
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
  /** Ids of the agents that use its tools, besides the general one, which uses all. */
  agents: readonly string[]
  /** The variables that configure its provider. */
  settings?: Settings
  tools: readonly AnyTool[]
}

/** Types a tool's `run` from its own schemas, then forgets them. */
export const defineTool = <P extends z.ZodObject, O extends z.ZodType>(tool: Tool<P, O>): AnyTool => tool as AnyTool
