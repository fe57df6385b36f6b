import {
  createOwner,
  endSessionsOf,
  makeResetLink,
  removeFactorsOf,
  setOperator,
  setOwnerPassword,
} from '../../operators/access'
import { resumeOwner, suspendOwner } from '../../operators/money'
import { COMMAND_LINE } from '../../operators/operator'
import { readOwner } from '../../operators/read-owner'
import { SuspendRequest } from '../../operators/shape'
import { deleteOwner } from '../../owner-data/delete'
import { remainsOfDeletedOwners } from '../../owner-data/remains'
import { type AdminCommand, CommandError, ownerOption, readOptions, textOption } from './options'
import { ownerLimitsCommand } from './owner-limits'
import { readSecretLine } from './secret'

const string = { type: 'string' } as const

const create: AdminCommand = {
  name: 'owner create',
  usage: '--email E [--password P] [--admin]   (without --password: read from stdin)',
  options: { email: string, password: string, admin: { type: 'boolean' } },
  run: async (options) => {
    const email = textOption(options, 'email')
    const password = typeof options.password === 'string' ? options.password : await readSecretLine('Password: ')
    const owner = await createOwner(COMMAND_LINE, { email, password, admin: options.admin === true })
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
    await setOwnerPassword(COMMAND_LINE, id, secret)
    return { data: { id, email }, text: `${email} has a new password; every session was ended` }
  },
}

const resetLink: AdminCommand = {
  name: 'owner reset-link',
  usage: '--email E   (a link to set a new password: works once, within an hour)',
  options: { email: string },
  run: async (options) => {
    const { id, email } = await ownerOption(options)
    const link = await makeResetLink(COMMAND_LINE, id)
    return { data: { id, email, ...link }, text: link.url }
  },
}

const secondFactors: AdminCommand = {
  name: 'owner remove-second-factors',
  usage: '--email E   (for somebody who lost them and the recovery codes; ends every session)',
  options: { email: string },
  run: async (options) => {
    const { id, email } = await ownerOption(options)
    await removeFactorsOf(COMMAND_LINE, id)
    return { data: { id, email }, text: `${email} signs in without a second factor; every session was ended` }
  },
}

const suspend: AdminCommand = {
  name: 'owner suspend',
  usage: '--email E --reason TEXT   (its callers read the reason)',
  options: { email: string, reason: string },
  run: async (options) => {
    const { id, email } = await ownerOption(options)
    const { reason } = readOptions(SuspendRequest, { ownerId: id, reason: textOption(options, 'reason') })
    await suspendOwner(COMMAND_LINE, { ownerId: id, reason })
    return { data: { id, email, suspended: reason }, text: `${email} is suspended: every call is refused with 403` }
  },
}

const resume: AdminCommand = {
  name: 'owner resume',
  usage: '--email E   (ends a suspension)',
  options: { email: string },
  run: async (options) => {
    const { id, email } = await ownerOption(options)
    await resumeOwner(COMMAND_LINE, id)
    return { data: { id, email, suspended: null }, text: `${email} may spend again` }
  },
}

const show: AdminCommand = {
  name: 'owner show',
  usage: '--email E',
  options: { email: string },
  run: async (options) => {
    const owner = await readOwner((await ownerOption(options)).id)
    const lines = [
      `Owner ${owner.id}, ${owner.email}${owner.isAdmin ? ', operator' : ''}, since ${owner.createdAt}`,
      owner.suspendedFor === null ? 'Active' : `Suspended since ${owner.suspendedAt}: ${owner.suspendedFor}`,
      `${owner.available} credits available, ${owner.held} held by ${owner.limits.callsInProgress.used} calls, ${owner.spentThisMonth} spent this month`,
      `${owner.keys} keys, ${owner.sessions} sessions, time zone ${owner.timeZone}`,
      ...owner.recentRuns.map(
        ({ jobId, status, model, creditsSpent, createdAt }) =>
          `run\t${jobId}\t${status}\t${model}\t${creditsSpent} spent\t${createdAt}`,
      ),
    ]
    return { data: owner, text: lines.join('\n') }
  },
}

const admin: AdminCommand = {
  name: 'owner admin',
  usage: '--email E [--remove]   (makes an owner an operator, or takes that away)',
  options: { email: string, remove: { type: 'boolean' } },
  run: async (options) => {
    const { id, email } = await ownerOption(options)
    const isAdmin = options.remove !== true
    await setOperator(COMMAND_LINE, id, isAdmin)
    return { data: { id, email, isAdmin }, text: `${email} is ${isAdmin ? 'an operator' : 'no longer an operator'}` }
  },
}

const sessions: AdminCommand = {
  name: 'owner sign-out',
  usage: '--email E   (ends every session)',
  options: { email: string },
  run: async (options) => {
    const { id, email } = await ownerOption(options)
    await endSessionsOf(COMMAND_LINE, id)
    return { data: { id, email }, text: `${email} is signed out of every browser` }
  },
}

const remove: AdminCommand = {
  name: 'owner delete',
  usage: '--email E --yes   (for good: keys, runs, files, sites; what the books need stays without a name)',
  options: { email: string, yes: { type: 'boolean' } },
  run: async (options) => {
    const { id, email } = await ownerOption(options)
    if (options.yes !== true) throw new CommandError(`This cannot be undone. To delete ${email}, add --yes.`)
    await deleteOwner(id, { kind: 'operator', email: null })
    const { step } = remainsOfDeletedOwners()
    while ((await step()).more);
    return {
      data: { id, email, deleted: true },
      text: `${email} is deleted; the books keep owner ${id} without a name`,
    }
  },
}

export const ownerCommands: readonly AdminCommand[] = [
  create,
  show,
  ownerLimitsCommand,
  password,
  resetLink,
  secondFactors,
  sessions,
  suspend,
  resume,
  admin,
  remove,
]
