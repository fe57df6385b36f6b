import { authHandler } from '@/server/http/auth'

export { authHandler as GET, authHandler as POST }
