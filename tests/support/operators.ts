import { makeSessionCookie } from '../../server/accounts/session'
import { makeContext } from '../../server/api/context'
import { appRouter } from '../../server/api/router'
import { createCallerFactory } from '../../server/api/trpc'
import { prisma } from '../../server/db'
import { makeOwner, type TestOwner } from './owners'

const createCaller = createCallerFactory(appRouter)

/** The dashboard's procedures as an owner who is signed in. */
export async function signedIn({ id }: TestOwner) {
  const cookie = await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id } }))
  const headers = new Headers({ cookie: `${cookie.name}=${cookie.value}`, 'user-agent': 'Firefox' })
  return { cookie, api: createCaller(makeContext({ via: 'session', headers })) }
}

/** An operator who is signed in. */
export async function makeOperator() {
  const owner = await makeOwner()
  await prisma().owner.update({ where: { id: owner.id }, data: { isAdmin: true } })
  return { owner, ...(await signedIn(owner)) }
}
