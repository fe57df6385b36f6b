import { grantToOwner } from '../../operators/money'
import { COMMAND_LINE } from '../../operators/operator'
import { GrantRequest } from '../../operators/shape'
import { type AdminCommand, CommandError, integerOption, optionalText, ownerOption, readOptions } from './options'

const string = { type: 'string' } as const

export const creditsGrantCommand: AdminCommand = {
  name: 'credits grant',
  usage: '--email E --credits N [--note TEXT]',
  options: { email: string, credits: string, note: string },
  run: async (options) => {
    const credits = integerOption(options, 'credits')
    if (!credits) throw new CommandError('--credits must be a whole number other than 0.')
    const owner = await ownerOption(options)
    const grant = readOptions(GrantRequest, { ownerId: owner.id, credits, note: optionalText(options, 'note') })
    const available = await grantToOwner(COMMAND_LINE, grant)
    return {
      data: { email: owner.email, credits, available },
      text: `${credits} credits to ${owner.email}; ${available} are available`,
    }
  },
}
