import { mountedHandler } from '@/app/server'

const handler = mountedHandler('/docs-search')

export { handler as GET }
