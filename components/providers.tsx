'use client'

import { type DefaultOptions, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { type ReactNode, useState } from 'react'
import type { AppRouter } from '@/server/api/router'
import { TRPCProvider } from './trpc'

// Asked also when the browser believes to be offline: it fails and says so, instead of waiting without a word.
const defaultOptions: DefaultOptions = {
  queries: { staleTime: 10_000, retry: 1, networkMode: 'always' },
  mutations: { networkMode: 'always' },
}

/** What client components of the dashboard ask the server through. */
export function Providers({ children }: { children: ReactNode }) {
  const [queries] = useState(() => new QueryClient({ defaultOptions }))
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: '/api/trpc', maxItems: 20 })] }),
  )
  return (
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={client} queryClient={queries}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  )
}
