import { metricsHandler as handler } from '@/server/http/metrics'

export { handler as GET }
