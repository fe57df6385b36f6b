import { reencryptAppSecrets } from '../../accounts/factors/authenticator-app'
import { reencryptDatabaseUrls } from '../../agent-tools/data/database-url'
import { reencryptResponses } from '../../chat/responses/seal'
import { env } from '../../env'
import { type AdminCommand, CommandError } from './options'

/** `encryption rotate`: after it, PREVIOUS_ENCRYPTION_KEY is not needed any more. */
export const encryptionRotateCommand: AdminCommand = {
  name: 'encryption rotate',
  usage: '',
  options: {},
  run: async () => {
    if (!env().ENCRYPTION_KEY)
      throw new CommandError('Set ENCRYPTION_KEY first, and PREVIOUS_ENCRYPTION_KEY to the old one.')
    const urls = await reencryptDatabaseUrls()
    const apps = await reencryptAppSecrets()
    await reencryptResponses()
    const encrypted = urls.encrypted + apps.encrypted
    const undecryptable = [...urls.undecryptable, ...apps.undecryptable]
    const lost = [
      ...urls.undecryptable.map((id) => `owner ${id}: no key decrypts the database URL; it has to be connected again`),
      ...apps.undecryptable.map(
        (id) => `owner ${id}: no key decrypts the authenticator app's secret; it has to be set up again`,
      ),
    ]
    return {
      data: { encrypted, undecryptable },
      text: [`${encrypted} stored credentials are encrypted with ENCRYPTION_KEY`, ...lost].join('\n'),
      failed: undecryptable.length > 0,
    }
  },
}
