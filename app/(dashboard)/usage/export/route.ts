import { usageCsvHandler } from '@/server/http/usage-csv'

export { usageCsvHandler as GET }
