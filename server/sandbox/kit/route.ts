/**
 * One route of a simulated provider. `npm run generate` collects the `routes.ts` of every provider.
 */
export type SandboxRoute = {
  method: string
  /**
   * Exact, or a prefix when it ends with `*`. An exact path wins over a prefix, a longer prefix
   * over a shorter one.
   */
  path: string
  handle: (req: Request) => Response | Promise<Response>
}
