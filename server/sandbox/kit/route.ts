/** A route of a simulated provider: `npm run generate` collects them from each `routes.ts`. */
export type SandboxRoute = {
  method: string
  /** Exact, or a prefix with `*` at its end; an exact path wins, then the longer prefix. */
  path: string
  handle: (req: Request) => Response | Promise<Response>
}
