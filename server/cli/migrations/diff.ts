import { withShadowEngine } from './engine'
import { ENGINE_FILTERS, migrationList, schemaFile } from './files'

/** The SQL that leads from what the migrations amount to, to schema.prisma; null when they agree. */
export async function schemaDiff(): Promise<string | null> {
  const files = [schemaFile()]
  const { exitCode, stdout } = await withShadowEngine(async (engine) => {
    await engine.applyMigrations({ migrationsList: migrationList(), filters: ENGINE_FILTERS })
    return engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '.' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: ENGINE_FILTERS,
    })
  })
  return exitCode === 0 ? null : stdout
}
