import { CONNECT_CLIENTS } from '../../components/connect/connect-clients'
import type { ConnectTarget } from '../../components/connect/recipe'
import { CHAT_MODEL } from '../support/chat'
import { sharedListener } from '../support/listener'

/** The code of a recipe of the Connect page for this file's listener. */
export async function recipeCode(client: string, recipe: string, given: Partial<ConnectTarget> = {}): Promise<string> {
  const found = CONNECT_CLIENTS.find(({ id }) => id === client)?.recipes.find(({ id }) => id === recipe)
  if (!found) throw new Error(`no recipe ${client}/${recipe}`)
  const { url } = await sharedListener()
  return found.code({ baseUrl: url, secret: null, model: CHAT_MODEL, smallModel: CHAT_MODEL, ...given })
}
