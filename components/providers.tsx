'use client'

import { type DefaultOptions, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { type ReactNode, useState } from 'react'
import type { AppRouter } from '@/server/api/router'
import { stepUpLink } from './security/step-up'
import { StepUpHost } from './security/step-up-host'
import { watchedFetch } from './shell/connection'
import { TRPCProvider } from './trpc'

// Sent even when the browser believes to be offline: the error is shown instead of waiting
// silently.
const defaultOptions: DefaultOptions = {
  queries: { staleTime: 10_000, retry: 1, networkMode: 'always' },
  mutations: { networkMode: 'always' },
}

/** Provides the tRPC client and its cache to the client components of the dashboard. */
export function Providers({ children }: { children: ReactNode }) {
  const [queries] = useState(() => new QueryClient({ defaultOptions }))
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [stepUpLink, httpBatchLink({ url: '/api/trpc', maxItems: 20, fetch: watchedFetch })],
    }),
  )
  return (
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={client} queryClient={queries}>
        {children}
        <StepUpHost />
      </TRPCProvider>
    </QueryClientProvider>
  )
}
