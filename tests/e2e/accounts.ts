// Accounts for scenes. Opening one with the page takes two page loads, and most tests are about
// something else.
import { createServer } from 'node:http'
import { makeSessionCookie } from '../../server/accounts/session'
import { signUpOwner } from '../../server/accounts/sign-up'
import { closeDb, prisma } from '../../server/db'
import { E2E_ACCOUNTS_PORT } from './address'
import type { Login } from './fixtures'

const DAY_MS = 86_400_000

/** `isProven` false: its owner signed in long ago. `isOld`: it was opened yesterday. */
export type NewAccount = Login & { isAdmin?: boolean; isProven?: boolean; isOld?: boolean }

/**
 * Serves `POST /` with a login: opens the account, an operator's where `isAdmin`, and returns the
 * cookie of a session; `POST /expired-invitation` with an id, which then has expired; and
 * `POST /undelivered` with a job's id, whose webhooks have then failed for good.
 */
export async function serveAccounts(): Promise<() => Promise<void>> {
  const server = createServer(async (req, res) => {
    try {
      let body = ''
      for await (const chunk of req) body += chunk
      if (req.url === '/expired-invitation') {
        await prisma().invitation.update({ where: { id: body }, data: { expiresAt: new Date(0) } })
        res.end()
        return
      }
      if (req.url === '/undelivered') {
        await prisma().webhookDelivery.updateMany({ where: { jobId: body }, data: { status: 'failed' } })
        res.end()
        return
      }
      const { isAdmin = false, isProven = true, isOld = false, ...login } = JSON.parse(body) as NewAccount
      const { id, email } = await signUpOwner(login)
      await prisma().owner.update({
        where: { id },
        data: { isAdmin, ...(isOld && { createdAt: new Date(Date.now() - DAY_MS) }) },
      })
      const { name, value } = await makeSessionCookie({ id, email, name: null })
      // Tests that share a session may take longer than a proof counts.
      const verifiedAt = new Date(isProven ? Date.now() + DAY_MS : 0)
      await prisma().session.updateMany({ where: { ownerId: id }, data: { verifiedAt } })
      res.end(JSON.stringify({ name, value }))
    } catch (error) {
      res.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(E2E_ACCOUNTS_PORT, '127.0.0.1', resolve))
  return async () => {
    server.closeAllConnections()
    server.close()
    await closeDb()
  }
}
