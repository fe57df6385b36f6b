import { llmsHandler as handler } from '@/server/http/llms'

export { handler as GET }
