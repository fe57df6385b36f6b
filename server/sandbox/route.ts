/** One address of a made-up upstream: `server.ts` collects these from every group's `sandbox.ts`. */
export type SandboxRoute = {
  method: string
  /** Exact, or a prefix when it ends with `*`. An exact path wins over a prefix, a longer prefix over a shorter one. */
  path: string
  answer: (req: Request) => Response | Promise<Response>
}
