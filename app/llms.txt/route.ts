import { llmsHandler as door } from '@/server/http/llms'

export { door as GET }
