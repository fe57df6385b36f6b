import { expect, it } from 'vitest'
import { allAdminCommands, findAdminCommand } from './commands'

it('every command is found by its name, with options behind it', async () => {
  const commands = await allAdminCommands()
  expect(commands.length).toBeGreaterThan(30)
  for (const command of commands) {
    expect(await findAdminCommand([...command.name.split(' '), '--json'])).toBe(command)
  }
})

it.each([[[]], [['owner']], [['owner', 'praise']], [['--json']]])('%j is no command', async (args) => {
  expect(await findAdminCommand(args)).toBeUndefined()
})
