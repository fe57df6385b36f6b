import { llmsDoor as door } from '@/server/doors/llms'

export { door as GET }
