declare module 'autocannon' {
  type Result = {
    requests: { total: number }
    /** Seconds. */
    duration: number
    latency: { p50: number; p99: number }
    non2xx: number
    errors: number
  }
  type Options = {
    url: string
    connections: number
    duration: number
    method?: 'GET' | 'POST'
    headers?: Record<string, string>
    body?: string
  }
  export default function autocannon(options: Options): Promise<Result>
}
