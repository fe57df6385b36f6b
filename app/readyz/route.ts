import { readyHandler as handler } from '@/server/http/health'

export { handler as GET }
