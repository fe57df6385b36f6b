// What Next itself costs: a route handler with nothing behind it.
export const dynamic = 'force-dynamic'

export const GET = () => Response.json({ status: 'ok' })
