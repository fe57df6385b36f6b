import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/settings/audit/export')

export { handler as GET }
