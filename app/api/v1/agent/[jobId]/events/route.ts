import { jobEventsHandler as door } from '@/server/http/job-events'

export { door as GET }
