import { recordAudit } from '../../accounts/audit'
import { resetPassword } from '../../accounts/change-password'
import { createOwner } from '../../accounts/create'
import { createResetLink } from '../../accounts/password-reset'
import { suspendAccount } from '../../credits/suspension'
import { prisma } from '../../db'
import { type AdminCommand, CommandError, ownerOption, textOption } from './options'
import { readSecretLine } from './secret'

const string = { type: 'string' } as const

const create: AdminCommand = {
  name: 'owner create',
  usage: '--email E [--password P] [--admin]   (without --password: read from stdin)',
  options: { email: string, password: string, admin: { type: 'boolean' } },
  run: async (options) => {
    const email = textOption(options, 'email')
    const password = typeof options.password === 'string' ? options.password : await readSecretLine('Password: ')
    const owner = await createOwner({ email, password, admin: options.admin === true })
    await recordAudit({ ownerId: owner.id, action: 'account_created' })
    return { data: owner, text: `Made owner ${owner.id}, ${owner.email}${owner.isAdmin ? ', admin' : ''}` }
  },
}

const password: AdminCommand = {
  name: 'owner password',
  usage: '--email E   (the new password is read from stdin)',
  options: { email: string },
  run: async (options) => {
    const { id, email } = await ownerOption(options)
    const secret = await readSecretLine('New password: ')
    if (secret === '') throw new CommandError('Type the new password, or send it on stdin.')
    await resetPassword(email, secret)
    await recordAudit({ ownerId: id, action: 'password_reset' })
    return { data: { id, email }, text: `${email} has a new password; every session was ended` }
  },
}

const resetLink: AdminCommand = {
  name: 'owner reset-link',
  usage: '--email E   (a link to set a new password: works once, within an hour)',
  options: { email: string },
  run: async (options) => {
    const { id, email } = await ownerOption(options)
    const { url, expiresAt } = await createResetLink(email)
    await recordAudit({ ownerId: id, action: 'password_reset_requested' })
    return { data: { id, email, url, expiresAt: expiresAt.toISOString() }, text: url }
  },
}

type OwnerLine = { id: number; email: string; available: number; held: number; keys: number; suspended: string | null }

const ownerLine = ({ id, email, available, held, keys, suspended }: OwnerLine) =>
  [id, email, `${available} available`, `${held} held`, `${keys} keys`, suspended && `suspended: ${suspended}`]
    .filter(Boolean)
    .join('\t')

const list: AdminCommand = {
  name: 'owner list',
  usage: '',
  options: {},
  run: async () => {
    const rows = await prisma().owner.findMany({
      orderBy: { id: 'asc' },
      include: { account: true, _count: { select: { keys: true } } },
    })
    const owners = rows.map(({ id, email, isAdmin, account, _count }) => ({
      id,
      email,
      isAdmin,
      available: Number(account?.available ?? 0),
      held: Number(account?.held ?? 0),
      keys: _count.keys,
      suspended: account?.suspendedFor ?? null,
    }))
    return { data: { owners }, text: owners.length > 0 ? owners.map(ownerLine).join('\n') : 'There are no owners' }
  },
}

const suspend: AdminCommand = {
  name: 'owner suspend',
  usage: '--email E --reason TEXT   (its callers read the reason)',
  options: { email: string, reason: string },
  run: async (options) => {
    const { id, email } = await ownerOption(options)
    const reason = textOption(options, 'reason')
    if (!(await suspendAccount(id, reason))) throw new CommandError(`${email} has no account.`)
    await recordAudit({ ownerId: id, action: 'account_suspended', detail: { reason } })
    return { data: { id, email, suspended: reason }, text: `${email} is suspended: every call is refused with 403` }
  },
}

const resume: AdminCommand = {
  name: 'owner resume',
  usage: '--email E   (ends a suspension)',
  options: { email: string },
  run: async (options) => {
    const { id, email } = await ownerOption(options)
    await suspendAccount(id, null)
    await recordAudit({ ownerId: id, action: 'account_resumed' })
    return { data: { id, email, suspended: null }, text: `${email} may spend again` }
  },
}

export const ownerCommands: readonly AdminCommand[] = [create, list, password, resetLink, suspend, resume]
