declare module 'autocannon' {
  type Result = {
    requests: { total: number }
    /** Seconds. */
    duration: number
    latency: { p50: number; p99: number }
    non2xx: number
    errors: number
  }
  export type AutocannonRequest = { headers: Record<string, string> }
  type Options = {
    requests?: { setupRequest: (request: AutocannonRequest) => AutocannonRequest }[]
    url: string
    connections: number
    /** Requests a second, over all connections. */
    overallRate?: number
    duration: number
    method?: 'GET' | 'POST'
    headers?: Record<string, string>
    body?: string
  }
  export default function autocannon(options: Options): Promise<Result>
}
