import { resetPassword } from '../../accounts/change-password'
import { createOwner } from '../../accounts/create'
import { type Command, ownerOf, Refused, textOf } from './options'
import { readSecret } from './secret'

const string = { type: 'string' } as const

const create: Command = {
  name: 'owner create',
  usage: '--email E [--password P] [--admin]   (without --password: read from stdin)',
  options: { email: string, password: string, admin: { type: 'boolean' } },
  run: async (options) => {
    const email = textOf(options, 'email')
    const password = typeof options.password === 'string' ? options.password : await readSecret('Password: ')
    const owner = await createOwner({ email, password, admin: options.admin === true })
    return { data: owner, text: `Made owner ${owner.id}, ${owner.email}${owner.isAdmin ? ', admin' : ''}` }
  },
}

const password: Command = {
  name: 'owner password',
  usage: '--email E   (the new password is read from stdin)',
  options: { email: string },
  run: async (options) => {
    const { id, email } = await ownerOf(options)
    const secret = await readSecret('New password: ')
    if (secret === '') throw new Refused('Type the new password, or send it on stdin.')
    await resetPassword(email, secret)
    return { data: { id, email }, text: `${email} has a new password; every session was ended` }
  },
}

export const ownerCommands: readonly Command[] = [create, password]
