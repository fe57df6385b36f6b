import { resetPassword } from '../../accounts/change-password'
import { createOwner } from '../../accounts/create'
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
    return { data: { id, email }, text: `${email} has a new password; every session was ended` }
  },
}

export const ownerCommands: readonly AdminCommand[] = [create, password]
