import { jobEventsHandler as handler } from '@/server/http/job-events'

export { handler as GET }
