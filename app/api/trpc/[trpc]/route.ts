import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/api/trpc/*')

export { handler as GET, handler as POST }
