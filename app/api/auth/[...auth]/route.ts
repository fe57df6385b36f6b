import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/api/auth/*')

export { handler as GET, handler as POST }
