import { usageCsvDoor } from '@/server/doors/usage-csv'

export { usageCsvDoor as GET }
