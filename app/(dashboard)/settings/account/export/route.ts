import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/settings/account/export')

export { handler as GET }
